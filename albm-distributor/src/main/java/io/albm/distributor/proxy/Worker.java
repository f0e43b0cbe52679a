// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.HeadPool;
import io.albm.core.http.HeadWriter;
import io.albm.core.net.LoopClock;
import io.albm.core.net.WatchdogQueue;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.http.RequestForwarder;
import io.albm.distributor.http.ResponseForwarder;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has for itself: clients, pools, timeouts, heads, retry budget and randomness. So no request waits
 * for another loop, unless it finds every backend full ({@link WaitingRoom}).
 */
final class Worker {
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final ProxySettings settings;
    private final ProxyStats stats;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final LoopClock clock;
    private final WatchdogQueue headTimeouts;
    private final WatchdogQueue quietTimeouts;
    private final WatchdogQueue farewellTimeouts;
    private final WatchdogQueue responseTimeouts;
    private final WatchdogQueue upstreamIdleTimeouts;
    private final WatchdogQueue tunnelTimeouts;
    private final WatchdogQueue lingerTimeouts;
    private final @Nullable AccessLines accessLines;
    private final Shortcut shortcut;
    private final HeadPool heads;
    private final HeadWriter headWriter = new HeadWriter();
    private final RetryBudget budget;
    private boolean draining;
    private final RandomGenerator random = new SplittableRandom();
    private final RequestForwarder requests;
    private final ResponseForwarder responses = new ResponseForwarder();
    private final Map<Backend, UpstreamPool> pools = new HashMap<>();
    private final Set<ClientHandler> clients = new HashSet<>();

    /**
     * A worker on that loop.
     *
     * @param loops how many workers share the bounds of the settings
     * @param log gets a line for each request; null for none
     */
    Worker(
            EventLoop loop,
            int loops,
            Bootstrap upstreams,
            ProxySettings settings,
            ProxyStats stats,
            @Nullable AccessLog log,
            MonotonicClock clock) {
        this.settings = settings;
        this.stats = stats;
        this.loop = loop;
        this.accessLines = log == null ? null : new AccessLines(log, loop);
        this.bootstrap = upstreams.clone(loop).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                settings.connectTimeout().toMillis());
        this.clock = new LoopClock(clock);
        this.headTimeouts = timeouts(settings.headTimeout());
        this.quietTimeouts = timeouts(settings.idleTimeout());
        this.farewellTimeouts = timeouts(settings.idleTimeout());
        this.responseTimeouts = timeouts(settings.responseTimeout());
        this.upstreamIdleTimeouts = timeouts(settings.upstreamIdleTimeout());
        this.tunnelTimeouts = timeouts(settings.tunnelTimeout());
        this.lingerTimeouts = timeouts(LINGER);
        this.shortcut = new Shortcut(stats);
        this.heads = new HeadPool(settings.maxHeadBytes());
        this.budget = RetryBudget.ofOne(loops, settings.retryRatio(), settings.retryBurst());
        this.requests = new RequestForwarder(settings.forwarding(), random);
    }

    EventLoop loop() {
        return loop;
    }

    /** Runs something on the loop. */
    void execute(Runnable task) {
        loop.execute(task);
    }

    /** Runs something on the loop, for who waits for it. */
    Future<?> submit(Runnable task) {
        return loop.submit(task);
    }

    ProxySettings settings() {
        return settings;
    }

    ProxyStats stats() {
        return stats;
    }

    LoopClock clock() {
        return clock;
    }

    /** For watchdogs on this loop that wait for that long. */
    WatchdogQueue timeouts(Duration each) {
        return new WatchdogQueue(loop, clock, each);
    }

    WatchdogQueue headTimeouts() {
        return headTimeouts;
    }

    /** For clients of which no request is under way. */
    WatchdogQueue quietTimeouts() {
        return quietTimeouts;
    }

    /** For clients that take nothing of the end of a response. */
    WatchdogQueue farewellTimeouts() {
        return farewellTimeouts;
    }

    WatchdogQueue responseTimeouts() {
        return responseTimeouts;
    }

    WatchdogQueue upstreamIdleTimeouts() {
        return upstreamIdleTimeouts;
    }

    WatchdogQueue tunnelTimeouts() {
        return tunnelTimeouts;
    }

    /** For who is listened to a little longer than it takes to answer. */
    WatchdogQueue lingerTimeouts() {
        return lingerTimeouts;
    }

    Shortcut shortcut() {
        return shortcut;
    }

    /** For a head that is put together and used up within one event. */
    HeadWriter headWriter() {
        return headWriter.clear();
    }

    /** Where the access log goes; null if there is none. */
    @Nullable
    AccessLines accessLines() {
        return accessLines;
    }

    HeadPool heads() {
        return heads;
    }

    RequestForwarder requests() {
        return requests;
    }

    ResponseForwarder responses() {
        return responses;
    }

    RetryBudget budget() {
        return budget;
    }

    /** Where chance comes from. */
    RandomGenerator random() {
        return random;
    }

    /** Makes connections to backends on this loop. */
    Bootstrap upstreams() {
        return bootstrap.clone();
    }

    UpstreamPool pool(Backend backend) {
        UpstreamPool known = pools.get(backend);
        return known == null ? opened(backend) : known;
    }

    /** A backend that is gone may still get a request that was on its way to it; no connection is kept for another. */
    private UpstreamPool opened(Backend backend) {
        var pool = new UpstreamPool(backend, this, bootstrap);
        if (backend.connections().areKept()) {
            pools.put(backend, pool);
        } else {
            pool.retire();
        }
        return pool;
    }

    /** Forgets the pool of a backend that is gone. */
    void retire(Backend backend) {
        UpstreamPool pool = pools.remove(backend);
        if (pool != null) {
            pool.retire();
        }
    }

    /** Closes the connection of which no request has been under way for longest; false if there is none. */
    boolean closeQuietest() {
        clock.tick();
        return quietTimeouts.fireFirst(Duration.ZERO);
    }

    void came(ClientHandler client) {
        clients.add(client);
        stats.clientCame();
        if (draining || client.frontend().isRetired()) {
            client.drain();
        }
    }

    void went(ClientHandler client) {
        if (clients.remove(client)) {
            stats.clientWent();
        }
    }

    /** Lets every client go once its request is answered, those that are still on their way in as well. */
    void drain() {
        draining = true;
        clock.tick();
        Set.copyOf(clients).forEach(ClientHandler::drain);
    }

    /** Lets the clients of one frontend go, each once its request is answered. */
    void drain(Frontend frontend) {
        clock.tick();
        clients.stream()
                .filter(client -> client.frontend() == frontend)
                .toList()
                .forEach(ClientHandler::drain);
    }

    /** Closes every client's connection. */
    void close() {
        Set.copyOf(clients).forEach(ClientHandler::close);
        shortcut.close();
    }

    /** Leaves no line of the access log behind. */
    void handOverLines() {
        if (accessLines != null) {
            accessLines.handOver();
        }
    }
}
