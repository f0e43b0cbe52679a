// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.store.DocumentStore;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.OrcaReport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Listens for HTTP and serves the documents of one store. */
public final class HttpServer implements AutoCloseable {

    private final DocumentStore store;
    private final Transport transport;
    private final HttpSettings settings;
    private final HttpStats stats;
    private final LoadHeader load = new LoadHeader();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;
    private volatile boolean draining;

    /**
     * Binds at once.
     *
     * @param address port 0 takes any free one
     * @throws IOException if the address cannot be bound; it says which and who has it
     */
    public HttpServer(
            NodeAddress address, DocumentStore store, Transport transport, HttpSettings settings, HttpStats stats)
            throws IOException {
        this.store = store;
        this.transport = transport;
        this.settings = settings;
        this.stats = stats;
        listener = Transport.listen(transport.serverBootstrap().childHandler(new Initializer()), address);
    }

    /** The address that is bound. */
    public NodeAddress address() {
        return Transport.localAddress(listener);
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
        listener.close().await();
        connections.forEach(connection -> connection
                .eventLoop()
                .execute(
                        () -> connection.pipeline().get(ConnectionHandler.class).drain()));
        return connections.newCloseFuture().await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private final class Initializer extends ChannelInitializer<Channel> {

        @Override
        protected void initChannel(Channel channel) {
            if (draining || connections.size() >= settings.maxConnections()) {
                channel.close();
                return;
            }
            connections.add(channel);
            ConnectionHandler handler = new ConnectionHandler(store, transport.blocking(), settings, stats, load);
            channel.pipeline()
                    .addLast(new IdleStateHandler(
                            true, 0, settings.writeTimeout().toMillis(), 0, TimeUnit.MILLISECONDS))
                    .addLast(new FirstBytes(handler))
                    .addLast(new HttpServerCodec(new HttpDecoderConfig()
                            .setMaxInitialLineLength(settings.maxHeadBytes())
                            .setMaxHeaderSize(settings.maxHeadBytes())))
                    .addLast(new FlowControlHandler())
                    .addLast(handler);
        }
    }

    /** Tells the connection that bytes came in, before they make up a request. */
    private static final class FirstBytes extends ChannelInboundHandlerAdapter {
        private final ConnectionHandler connection;

        private FirstBytes(ConnectionHandler connection) {
            this.connection = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object bytes) {
            connection.headBegins();
            ctx.fireChannelRead(bytes);
        }
    }
}
