// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.core.topology.ClearText;
import io.albm.core.topology.FrontendMode;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.http.Client;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The data path: accepts clients of any number of frontends, gives each connection to one event loop, and stays there.
 *
 * <p>Methods are thread-safe. Bytes wait in at most one write buffer per direction and connection, which stops its
 * reader at {@value #HIGH_WATER_MARK} bytes.
 */
public final class HttpProxy implements AutoCloseable {
    private static final int LOW_WATER_MARK = 64 << 10;
    private static final int HIGH_WATER_MARK = 256 << 10;
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(LOW_WATER_MARK, HIGH_WATER_MARK);
    private static final int SMALLEST_READ = 1 << 10;
    private static final int FIRST_READ = 2 << 10;
    private static final int LARGEST_READ = 256 << 10;
    private static final RecvByteBufAllocator RECEIVE_BUFFERS =
            new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, LARGEST_READ);

    /** Where the kernel takes the bulk, reads need only show that there is some. */
    static final RecvByteBufAllocator TUNNEL_BUFFERS = Epoll.isAvailable()
            ? new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, Shortcut.SMALLEST_BULK)
            : RECEIVE_BUFFERS;

    private static final int DRAIN_POLL_MILLIS = 20;

    private final Map<EventExecutor, Worker> workers;
    private final ProxySettings settings;
    private final ProxyStats stats;
    private final Transport transport;
    private final List<Listener> listening = new CopyOnWriteArrayList<>();
    private final AtomicInteger clients = new AtomicInteger();

    private HttpProxy(
            Transport transport, Map<EventExecutor, Worker> workers, ProxySettings settings, ProxyStats stats) {
        this.transport = transport;
        this.workers = workers;
        this.settings = settings;
        this.stats = stats;
    }

    /**
     * A proxy that listens nowhere yet.
     *
     * @param log gets a line for each request; null for none
     */
    public static HttpProxy create(
            Transport transport,
            ProxySettings settings,
            ProxyStats stats,
            @Nullable AccessLog log,
            MonotonicClock clock) {
        Bootstrap upstreams = transport
                .clientBootstrap()
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .option(ChannelOption.RECVBUF_ALLOCATOR, RECEIVE_BUFFERS);
        int loops = (int) StreamSupport.stream(transport.eventLoops().spliterator(), false)
                .count();
        var workers = new ConcurrentHashMap<EventExecutor, Worker>();
        transport
                .eventLoops()
                .forEach(loop ->
                        workers.put(loop, new Worker((EventLoop) loop, loops, upstreams, settings, stats, log, clock)));
        return new HttpProxy(transport, workers, settings, stats);
    }

    /**
     * Listens for a frontend's clients.
     *
     * @throws IOException if the address cannot be had; the message names it
     */
    public Listener listen(NodeAddress bind, Frontend frontend) throws IOException {
        var listener = new Listener(frontend);
        listener.bound(Transport.listen(servers(listener), bind));
        listening.removeIf(Listener::isClosed);
        listening.add(listener);
        return listener;
    }

    /** Clients cost as few system calls as will do: Netty sets TCP_NODELAY by itself, the timeouts find dead ones. */
    private ServerBootstrap servers(Listener listener) {
        return transport
                .serverBootstrap()
                .childOption(ChannelOption.TCP_NODELAY, null)
                .childOption(ChannelOption.SO_KEEPALIVE, null)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, RECEIVE_BUFFERS)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept((SocketChannel) channel, listener.frontend());
                    }
                });
    }

    private void accept(SocketChannel channel, Frontend frontend) {
        Worker worker = workers.get(channel.eventLoop());
        if (worker == null || !admits(worker)) {
            stats.note(ProxyStats.Event.REFUSED_CLIENT);
            channel.close();
            return;
        }
        frontend.came();
        channel.closeFuture().addListener(closed -> {
            frontend.went();
            clients.decrementAndGet();
        });
        Frontend.Terms terms = frontend.terms();
        if (terms.spec().mode() == FrontendMode.TCP && terms.certificates() == null) {
            channel.config().setAutoRead(false).setAllowHalfClosure(true).setRecvByteBufAllocator(TUNNEL_BUFFERS);
        }
        if (terms.spec().acceptsProxyHeader()) {
            ProxyHeader.install(worker, channel, () -> serve(worker, channel, frontend, terms));
        } else {
            serve(worker, channel, frontend, terms);
        }
    }

    /** At the limit the quietest connection of the loop makes room: its client has had all it asked for. */
    private boolean admits(Worker worker) {
        if (clients.incrementAndGet() <= settings.maxClients()) {
            return true;
        }
        if (worker.closeQuietest()) {
            stats.note(ProxyStats.Event.EVICTED_CLIENT);
            return true;
        }
        clients.decrementAndGet();
        return false;
    }

    /** How many client connections are open, those included that have not said yet what they want. */
    int clients() {
        return clients.get();
    }

    private static void serve(Worker worker, SocketChannel channel, Frontend frontend, Frontend.Terms terms) {
        FrontendMode mode = terms.spec().mode();
        if (terms.certificates() != null) {
            SecureClient.install(worker, channel, terms.certificates(), frontend, mode);
        } else if (mode == FrontendMode.TCP) {
            channel.pipeline().addLast(new TcpSession(worker, channel, frontend));
        } else if (terms.spec().clearText() == ClearText.HTTP2) {
            new Http2Connection(worker, channel, Client.of(ProxyHeader.client(channel), false), frontend).install();
        } else {
            channel.pipeline().addLast(new ClientConnection(worker, channel, false, frontend));
        }
    }

    /** Closes the unused connections to a backend that is gone. */
    public void retire(Backend backend) {
        backend.connections().keepNone();
        workers.values().forEach(worker -> worker.execute(() -> worker.retire(backend)));
    }

    /** Lets the clients of a frontend that is gone go, each once its request is answered. */
    public void drain(Frontend frontend) {
        frontend.retire();
        workers.values().forEach(worker -> worker.execute(() -> worker.drain(frontend)));
    }

    /** Stops accepting, answers what is in flight with {@code Connection: close}, and waits for that within the bound. */
    public void drain(Duration bound) throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        listening.forEach(Listener::close);
        workers.values().forEach(worker -> worker.execute(worker::drain));
        while (clients.get() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(DRAIN_POLL_MILLIS);
        }
    }

    /** Closes every connection at once; the access log is given the requests that are cut off by that. */
    @Override
    public void close() {
        listening.forEach(Listener::close);
        onEachLoop(Worker::close);
        // A connection learns of its end in a task behind that, and the streams of HTTP/2 in one behind that one.
        onEachLoop(worker -> {});
        onEachLoop(Worker::handOverLines);
    }

    private void onEachLoop(Consumer<Worker> work) {
        workers.values().stream()
                .map(worker -> worker.submit(() -> work.accept(worker)))
                .toList()
                .forEach(Future::syncUninterruptibly);
    }
}
