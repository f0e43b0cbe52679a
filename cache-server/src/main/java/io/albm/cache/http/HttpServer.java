// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.net.Listener;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.OrcaReport;
import io.albm.core.time.MonotonicClock;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Listens for HTTP and gives what is asked to a {@link RequestHandler}. */
public final class HttpServer implements AutoCloseable {

    private final HttpSettings settings;
    private final HttpStats stats;
    private final LoadLine load = new LoadLine();
    private final Map<EventExecutor, LoopContext> loops = new HashMap<>();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Listener listener;
    private volatile boolean draining;

    /**
     * Binds at once.
     *
     * @param address port 0 takes any free one
     * @param handlers makes the handler of each event loop
     * @throws IOException if the address cannot be bound; it says which and who has it
     */
    public HttpServer(
            NodeAddress address,
            Supplier<RequestHandler> handlers,
            Transport transport,
            HttpSettings settings,
            HttpStats stats)
            throws IOException {
        this.settings = settings;
        this.stats = stats;
        for (EventExecutor loop : transport.eventLoops()) {
            loops.put(loop, context((EventLoop) loop, handlers.get()));
        }
        listener = Listener.open(transport, address, this::served);
    }

    private LoopContext context(EventLoop loop, RequestHandler handler) {
        return new LoopContext(loop, settings, stats, handler, load, MonotonicClock.system(), InstantSource.system());
    }

    /** Clients cost as few system calls as will do: Netty sets TCP_NODELAY by itself, the timeouts find dead ones. */
    private ServerBootstrap served(ServerBootstrap servers) {
        return servers.childOption(ChannelOption.TCP_NODELAY, null)
                .childOption(ChannelOption.SO_KEEPALIVE, null)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, PieceSizes.INSTANCE)
                .childHandler(new Initializer());
    }

    /** The address that is bound. */
    public NodeAddress address() {
        return listener.address();
    }

    public HttpStats stats() {
        return stats;
    }

    /** From now on every response carries this report, as ORCA's header. */
    public void reportLoad(OrcaReport report) {
        load.report(report);
    }

    /** Connections open now. */
    public int connections() {
        return connections.size();
    }

    /**
     * Takes no new connection, finishes the requests under way, closes the connections.
     *
     * @return whether all ended within the bound
     */
    public boolean drain(Duration bound) throws InterruptedException {
        draining = true;
        listener.close();
        connections.forEach(connection -> connection.eventLoop().execute(() -> drain(connection)));
        return connections.newCloseFuture().await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void drain(Channel channel) {
        Connection connection = channel.pipeline().get(Connection.class);
        if (connection != null) {
            connection.drain();
        }
    }

    @Override
    public void close() {
        listener.close();
        connections.close().awaitUninterruptibly();
        loops.forEach((loop, context) -> loop.submit(context::close).awaitUninterruptibly());
    }

    private final class Initializer extends ChannelInitializer<Channel> {

        @Override
        protected void initChannel(Channel channel) {
            LoopContext loop = loops.get(channel.eventLoop());
            if (loop == null || draining || connections.size() >= settings.maxConnections()) {
                channel.close();
                return;
            }
            connections.add(channel);
            channel.pipeline().addLast(new Connection(loop, channel));
        }
    }
}
