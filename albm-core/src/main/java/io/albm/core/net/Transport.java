// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.albm.core.node.NodeAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * The event loops, the buffer pool and the blocking-work executor of one process.
 *
 * <p>Linux runs on native epoll, everything else on NIO; no code outside this class can tell. Sockets get what every
 * protocol here wants: no Nagle delay, TCP keep-alive, the pooled allocator. Thread-safe.
 */
public final class Transport implements AutoCloseable {

    private static final int ACCEPT_BACKLOG = 1024;
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;

    private final EventLoopGroup loops;
    private final Class<? extends ServerChannel> serverChannel;
    private final Class<? extends Channel> clientChannel;
    private final BlockingExecutor blocking;
    private final NameLookups names = new NameLookups();
    private final boolean epoll;

    private Transport(int threads, boolean epoll, BlockingExecutor blocking) {
        var factory = new DefaultThreadFactory("albm-io", true);
        this.loops =
                new ClosingEventLoops(threads, factory, epoll ? FrugalEpoll.newFactory() : NioIoHandler.newFactory());
        this.serverChannel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        this.clientChannel = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
        this.blocking = blocking;
        this.epoll = epoll;
    }

    /** A transport with one event loop per processor. */
    public static Transport open() {
        return open(Runtime.getRuntime().availableProcessors());
    }

    /** A transport with the given number of event loops, at least 1. */
    public static Transport open(int threads) {
        return new Transport(threads, Epoll.isAvailable(), BlockingExecutor.withDefaults());
    }

    /** A transport on the portable NIO selector, whatever the platform offers. */
    static Transport openPortable(int threads) {
        return new Transport(threads, false, BlockingExecutor.withDefaults());
    }

    /** The shared loops; a handler that runs on one must never block it. */
    public EventLoopGroup eventLoops() {
        return loops;
    }

    /** Whether it runs on native epoll. */
    boolean isEpoll() {
        return epoll;
    }

    /** The pooled allocator; its buffers are direct unless asked otherwise. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /** Where file, disk and other blocking work goes: virtual threads, bounded in number. */
    public BlockingExecutor blocking() {
        return blocking;
    }

    /** A server bootstrap on the shared loops; the caller adds its child handler and binds. */
    public ServerBootstrap serverBootstrap() {
        return serverBootstrap(loops);
    }

    /** A server bootstrap on one of the shared loops. */
    ServerBootstrap serverBootstrap(EventLoopGroup loop) {
        return new ServerBootstrap()
                .group(loop)
                .channel(serverChannel)
                .option(ChannelOption.SO_BACKLOG, ACCEPT_BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, allocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    /** A client bootstrap on the shared loops; the caller adds its handler and connects, also to a name: no loop waits for it. */
    public Bootstrap clientBootstrap() {
        return clientBootstrap(loops);
    }

    /** A client bootstrap on one of the shared loops. */
    public Bootstrap clientBootstrap(EventLoopGroup loop) {
        return new Bootstrap()
                .group(loop)
                .channel(clientChannel)
                .resolver(names)
                .option(ChannelOption.ALLOCATOR, allocator())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
    }

    /**
     * Binds at once.
     *
     * @throws IOException if the address cannot be had; see {@link #bindFailure}
     */
    public static Channel listen(ServerBootstrap servers, NodeAddress address) throws IOException {
        var bound = servers.bind(address.host(), address.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw bindFailure(address, bound.cause());
        }
        return bound.channel();
    }

    /** Why an address could not be bound, in words that name the address and, if the port is taken, its owner. */
    public static IOException bindFailure(NodeAddress address, Throwable cause) {
        var reason = String.valueOf(cause.getMessage());
        return new IOException(
                reason.contains("in use")
                        ? "%s: the port is in use%s; stop that process or choose another port"
                                .formatted(
                                        address,
                                        PortOwner.of(address.port())
                                                .map(owner -> " by " + owner)
                                                .orElse(""))
                        : "%s: cannot listen there: %s".formatted(address, reason),
                cause);
    }

    /** The local address of a bound or connected channel. */
    public static NodeAddress localAddress(Channel channel) {
        return address((InetSocketAddress) channel.localAddress());
    }

    /** The remote address of a connected channel. */
    public static NodeAddress remoteAddress(Channel channel) {
        return address((InetSocketAddress) channel.remoteAddress());
    }

    private static NodeAddress address(InetSocketAddress socket) {
        return new NodeAddress(socket.getHostString(), socket.getPort());
    }

    /** Closes every socket that still uses the loops and ends their threads; waits at most two seconds. */
    @Override
    public void close() {
        blocking.close();
        names.close();
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MILLIS);
    }
}
