// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

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
    private static final int DRAIN_POLL_MILLIS = 20;

    private final Map<EventExecutor, Worker> workers;
    private final Map<Channel, ClientConnection> clients = new ConcurrentHashMap<>();
    private final ProxySettings settings;
    private final ProxyStats stats;
    private final Channel listening;

    private HttpProxy(
            Transport transport,
            Map<EventExecutor, Worker> workers,
            ProxySettings settings,
            ProxyStats stats,
            NodeAddress bind)
            throws IOException {
        this.workers = workers;
        this.settings = settings;
        this.stats = stats;
        this.listening = listen(transport.serverBootstrap(), bind);
    }

    private Channel listen(ServerBootstrap servers, NodeAddress bind) throws IOException {
        return Transport.listen(
                servers.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                        .childHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept(channel);
                            }
                        }),
                bind);
    }

    /**
     * Binds and serves.
     *
     * @throws IOException if the address cannot be had; the message names it
     */
    public static HttpProxy bind(
            Transport transport,
            NodeAddress bind,
            BackendChooser chooser,
            ProxySettings settings,
            ProxyStats stats,
            MonotonicClock clock)
            throws IOException {
        Bootstrap upstreams = transport.clientBootstrap().option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS);
        int loops = (int) StreamSupport.stream(transport.eventLoops().spliterator(), false)
                .count();
        var workers = new ConcurrentHashMap<EventExecutor, Worker>();
        transport
                .eventLoops()
                .forEach(loop -> workers.put(
                        loop, new Worker((EventLoop) loop, loops, upstreams, chooser, settings, stats, clock)));
        return new HttpProxy(transport, workers, settings, stats, bind);
    }

    /** Where it listens. */
    public NodeAddress address() {
        return Transport.localAddress(listening);
    }

    private void accept(Channel channel) {
        Worker worker = workers.get(channel.eventLoop());
        if (worker == null || clients.size() >= settings.maxClients()) {
            stats.note(ProxyStats.Event.REFUSED_CLIENT);
            channel.close();
            return;
        }
        var client = new ClientConnection(worker, channel);
        clients.put(channel, client);
        stats.clientCame();
        channel.closeFuture().addListener(closed -> {
            clients.remove(channel);
            stats.clientWent();
        });
        client.install();
    }

    /** Closes the unused connections to a backend that is gone. */
    public void retire(Backend backend) {
        workers.forEach((loop, worker) -> loop.execute(() -> worker.retire(backend)));
    }

    /** Stops accepting, answers what is in flight with {@code Connection: close}, and waits for that within the bound. */
    public void drain(Duration bound) throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        listening.close().syncUninterruptibly();
        clients.forEach((channel, client) -> channel.eventLoop().execute(client::drain));
        while (!clients.isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(DRAIN_POLL_MILLIS);
        }
    }

    /** Closes every connection at once. */
    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        clients.keySet().forEach(Channel::close);
    }
}
