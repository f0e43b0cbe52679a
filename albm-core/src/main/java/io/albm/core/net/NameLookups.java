// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks up names of hosts as the system does, which may take as long as a name server does, on threads of its own: the event
 * loops have others to serve. What is an address already is not looked up. The JDK keeps what it has found for
 * {@code networkaddress.cache.ttl}, 30 s unless set. Thread-safe.
 */
final class NameLookups extends AddressResolverGroup<InetSocketAddress> {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Names that are slow hold up one of them each. */
    private static final int THREADS = 4;

    private static final Duration IDLE = Duration.ofSeconds(30);

    /** Asks the system. */
    @FunctionalInterface
    interface HostNames {
        /** All addresses of a host, at least one; waits for them. */
        InetAddress[] find(String host) throws UnknownHostException;
    }

    private final HostNames system;
    private final Duration patience;
    private final int mostWaiting;
    private final ThreadPoolExecutor threads;

    NameLookups() {
        this(InetAddress::getAllByName, PATIENCE, 1024);
    }

    /**
     * @param patience for one name, after which it counts as unknown
     * @param mostWaiting look-ups that may wait for a thread; more fail at once
     */
    NameLookups(HostNames system, Duration patience, int mostWaiting) {
        this.system = system;
        this.patience = patience;
        this.mostWaiting = mostWaiting;
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(mostWaiting),
                Thread.ofPlatform().daemon().name("albm-names-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new Resolver(loop).asAddressResolver();
    }

    @Override
    public void close() {
        super.close();
        threads.shutdownNow();
    }

    private final class Resolver extends InetNameResolver {
        private final EventExecutor loop;

        Resolver(EventExecutor loop) {
            super(loop);
            this.loop = loop;
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            Promise<List<InetAddress>> all = loop.newPromise();
            doResolveAll(host, all);
            all.addListener(_ -> {
                if (all.isSuccess()) {
                    promise.trySuccess(all.getNow().getFirst());
                } else {
                    promise.tryFailure(all.cause());
                }
            });
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
                promise.trySuccess(List.of(InetAddress.ofLiteral(host)));
                return;
            }
            try {
                threads.execute(() -> lookUp(host, promise));
            } catch (RejectedExecutionException e) {
                promise.tryFailure(unknown(host, mostWaiting + " other look-ups of names wait already"));
                return;
            }
            var late = loop.schedule(
                    () -> promise.tryFailure(
                            unknown(host, "no name server answered within " + patience.toMillis() + " ms")),
                    patience.toMillis(),
                    TimeUnit.MILLISECONDS);
            promise.addListener(_ -> late.cancel(false));
        }

        private void lookUp(String host, Promise<List<InetAddress>> promise) {
            try {
                promise.trySuccess(List.of(system.find(host)));
            } catch (UnknownHostException e) {
                promise.tryFailure(unknown(host, "no address is known for it"));
            } catch (RuntimeException e) {
                promise.tryFailure(e);
            }
        }

        private static UnknownHostException unknown(String host, String why) {
            return new UnknownHostException("host '" + host + "': " + why);
        }
    }
}
