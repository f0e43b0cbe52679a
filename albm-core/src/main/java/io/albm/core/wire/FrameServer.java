// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves frames on one port. Requests of a connection are handled as they arrive, side by side, up to a bound; at the
 * bound the server stops reading the connection. An answer counts as in flight until the socket has taken it, so a client
 * that does not read its answers cannot make this node hoard them. Thread-safe.
 */
public final class FrameServer implements AutoCloseable {

    private static final int FLUSH_AFTER = FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES;

    private final FrameServerLimits limits;
    private final FrameHandler handler;
    private final InFlight inFlight = new InFlight();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final ChannelFuture bound;

    private FrameServer(Transport transport, NodeAddress address, FrameHandler handler, FrameServerLimits limits) {
        this.handler = handler;
        this.limits = limits;
        this.bound = transport
                .serverBootstrap()
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(address.host(), address.port());
    }

    /** Binds with the default limits. */
    public static CompletableFuture<FrameServer> bind(Transport transport, NodeAddress address, FrameHandler handler) {
        return bind(transport, address, handler, FrameServerLimits.DEFAULT);
    }

    /**
     * Binds and serves; the future fails with an {@link java.io.IOException} that names the reason if the address cannot be had.
     *
     * @param address where to listen; port 0 takes any free port, see {@link #address()}
     */
    public static CompletableFuture<FrameServer> bind(
            Transport transport, NodeAddress address, FrameHandler handler, FrameServerLimits limits) {
        var server = new FrameServer(transport, address, handler, limits);
        var result = new CompletableFuture<FrameServer>();
        server.bound.addListener(done -> {
            if (done.isSuccess()) {
                result.complete(server);
            } else {
                result.completeExceptionally(Transport.bindFailure(address, done.cause()));
            }
        });
        return result;
    }

    /** Where the server really listens. */
    public NodeAddress address() {
        return Transport.localAddress(bound.channel());
    }

    /** Requests taken and not yet answered, over all connections. */
    public int inFlight() {
        return inFlight.count();
    }

    /**
     * Stops accepting connections and answers new requests with {@link WireCode#BUSY}; done when every request taken before
     * has been answered. The caller bounds the wait and closes.
     */
    public CompletableFuture<Void> drain() {
        bound.channel().close();
        return inFlight.drained();
    }

    /** Stops listening and closes every connection, answered or not. */
    @Override
    public void close() {
        bound.channel().close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private void accept(Channel channel) {
        connections.add(channel);
        if (connections.size() > limits.maxConnections()) {
            channel.pipeline().addLast(new FrameEncoder(), new RefusedConnection(limits.maxConnections()));
        } else {
            serve(channel);
        }
    }

    private void serve(Channel channel) {
        var peer = new Peer(Transport.remoteAddress(channel));
        var decoder = new FrameDecoder(gate(peer));
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(FLUSH_AFTER, true))
                .addLast(new FrameEncoder())
                .addLast(decoder)
                .addLast(new FlowControlHandler())
                .addLast(new ServerConnection(peer, decoder, handler, inFlight, limits));
    }

    private FrameGate gate(Peer peer) {
        return new FrameGate() {
            @Override
            public @Nullable WireException refusal(int type, ByteBuf header, int bodyBytes) {
                return handler.refusal(type, header, bodyBytes, peer);
            }

            @Override
            public void arriving(int missing) {
                handler.arriving(missing, peer);
            }
        };
    }
}
