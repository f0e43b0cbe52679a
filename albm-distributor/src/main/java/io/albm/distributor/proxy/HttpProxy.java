// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.core.tls.ServerCertificates;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
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
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/1.1 reverse proxy: accepts clients, gives each connection to one event loop, and stays there.
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
    private static final RecvByteBufAllocator TUNNEL_BUFFERS = Epoll.isAvailable()
            ? new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, Shortcut.SMALLEST_BULK)
            : RECEIVE_BUFFERS;

    private static final int DRAIN_POLL_MILLIS = 20;

    private final Map<EventExecutor, Worker> workers;
    private final ProxySettings settings;
    private final ProxyStats stats;
    private final Transport transport;
    private final List<Channel> listening = new CopyOnWriteArrayList<>();
    private final AtomicInteger clients = new AtomicInteger();

    private HttpProxy(
            Transport transport, Map<EventExecutor, Worker> workers, ProxySettings settings, ProxyStats stats) {
        this.transport = transport;
        this.workers = workers;
        this.settings = settings;
        this.stats = stats;
    }

    /**
     * Listens.
     *
     * @param certificates for TLS; null for clear text
     * @return where, with the port that was found if any would do
     * @throws IOException if the address cannot be had; the message names it
     */
    public NodeAddress listen(NodeAddress bind, @Nullable ServerCertificates certificates) throws IOException {
        Channel bound = Transport.listen(servers(certificates), bind);
        listening.add(bound);
        return Transport.localAddress(bound);
    }

    /** Clients cost as few system calls as will do: Netty sets TCP_NODELAY by itself, the timeouts find dead ones. */
    private ServerBootstrap servers(@Nullable ServerCertificates certificates) {
        ServerBootstrap servers = transport
                .serverBootstrap()
                .childOption(ChannelOption.TCP_NODELAY, null)
                .childOption(ChannelOption.SO_KEEPALIVE, null)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers(settings))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept((SocketChannel) channel, certificates);
                    }
                });
        return switch (settings.mode()) {
            case HTTP -> servers;
            case TCP ->
                servers.childOption(ChannelOption.AUTO_READ, false).childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        };
    }

    /**
     * A proxy that listens nowhere yet.
     *
     * @param log gets a line for each request; null for none
     */
    public static HttpProxy create(
            Transport transport,
            BackendChooser chooser,
            ProxySettings settings,
            ProxyStats stats,
            @Nullable AccessLog log,
            MonotonicClock clock) {
        Bootstrap upstreams = transport
                .clientBootstrap()
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .option(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers(settings));
        int loops = (int) StreamSupport.stream(transport.eventLoops().spliterator(), false)
                .count();
        var waitingRoom = new WaitingRoom(stats, clock, settings.queueSize(), settings.queueTimeout());
        var workers = new ConcurrentHashMap<EventExecutor, Worker>();
        transport
                .eventLoops()
                .forEach(loop -> workers.put(
                        loop,
                        new Worker(
                                (EventLoop) loop,
                                loops,
                                upstreams,
                                chooser,
                                waitingRoom,
                                settings,
                                stats,
                                log,
                                clock)));
        return new HttpProxy(transport, workers, settings, stats);
    }

    private static RecvByteBufAllocator receiveBuffers(ProxySettings settings) {
        return switch (settings.mode()) {
            case HTTP -> RECEIVE_BUFFERS;
            case TCP -> TUNNEL_BUFFERS;
        };
    }

    private void accept(SocketChannel channel, @Nullable ServerCertificates certificates) {
        Worker worker = workers.get(channel.eventLoop());
        if (worker == null || clients.incrementAndGet() > settings.maxClients()) {
            clients.decrementAndGet();
            stats.note(ProxyStats.Event.REFUSED_CLIENT);
            channel.close();
            return;
        }
        if (settings.expectsProxyHeader()) {
            ProxyHeader.install(worker, channel, clients, () -> serve(worker, channel, certificates));
        } else {
            serve(worker, channel, certificates);
        }
    }

    private void serve(Worker worker, SocketChannel channel, @Nullable ServerCertificates certificates) {
        if (settings.mode() == FrontendMode.TCP) {
            channel.pipeline().addLast(new TcpSession(worker, channel, clients));
        } else if (certificates != null) {
            SecureClient.install(worker, channel, certificates, clients);
        } else if (settings.clearText() == ClearText.HTTP2) {
            new Http2Connection(worker, channel, Client.of(ProxyHeader.client(channel), false), clients).install();
        } else {
            channel.pipeline().addLast(new ClientConnection(worker, channel, false, clients));
        }
    }

    /** Closes the unused connections to a backend that is gone. */
    public void retire(Backend backend) {
        workers.values().forEach(worker -> worker.execute(() -> worker.retire(backend)));
    }

    /** Stops accepting, answers what is in flight with {@code Connection: close}, and waits for that within the bound. */
    public void drain(Duration bound) throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        listening.forEach(one -> one.close().syncUninterruptibly());
        workers.values().forEach(worker -> worker.execute(worker::drain));
        while (clients.get() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(DRAIN_POLL_MILLIS);
        }
    }

    /** Closes every connection at once. */
    @Override
    public void close() {
        listening.forEach(one -> one.close().syncUninterruptibly());
        workers.values().stream().map(Worker::closeSoon).toList().forEach(Future::syncUninterruptibly);
    }
}
