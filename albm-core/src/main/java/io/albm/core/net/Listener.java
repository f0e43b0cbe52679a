// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.albm.core.node.NodeAddress;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * An address on which every event loop accepts connections by itself: a socket per loop ({@code SO_REUSEPORT}), between
 * which the kernel spreads clients. So no connection is handed from a loop that accepts to one that serves, which would
 * have to be woken. Without epoll one socket serves all loops.
 *
 * <p><b>Who owns the port.</b> The first socket is bound alone, so a port that another process has is refused as always,
 * whoever that is; only then it is opened to the others.
 *
 * <p><b>Clients on this machine.</b> Connections to a loopback address do without pacing ({@code reno} for congestion
 * control): where the system's default is BBR, every 64 KiB would wait for a timer of its own, to spare a network that is
 * not there.
 */
public final class Listener implements AutoCloseable {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final byte[] UNPACED = "reno".getBytes(StandardCharsets.US_ASCII);
    private static final ChannelOption<ByteBuffer> CONGESTION =
            new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, UNPACED.length);

    private final NodeAddress address;
    private final List<Channel> sockets;

    private Listener(NodeAddress address, List<Channel> sockets) {
        this.address = address;
        this.sockets = List.copyOf(sockets);
    }

    /**
     * Binds at once.
     *
     * @param address port 0 takes any free one
     * @param served adds options and handler of the connections
     * @throws IOException if the address cannot be had; see {@link Transport#bindFailure}
     */
    public static Listener open(Transport transport, NodeAddress address, UnaryOperator<ServerBootstrap> served)
            throws IOException {
        if (!transport.isEpoll()) {
            Channel only = Transport.listen(served.apply(transport.serverBootstrap()), address);
            return new Listener(Transport.localAddress(only), List.of(only));
        }
        List<Channel> sockets = new ArrayList<>();
        try {
            NodeAddress bound = address;
            for (EventExecutor loop : transport.eventLoops()) {
                ServerBootstrap one = served.apply(transport.serverBootstrap((EventLoop) loop));
                sockets.add(bind(one, bound, !sockets.isEmpty()));
                bound = Transport.localAddress(sockets.getFirst());
            }
            return new Listener(bound, sockets);
        } catch (IOException | RuntimeException e) {
            close(sockets);
            throw e;
        }
    }

    private static Channel bind(ServerBootstrap servers, NodeAddress address, boolean shared) throws IOException {
        if (isLoopback(address)) {
            servers.option(CONGESTION, ByteBuffer.wrap(UNPACED));
        }
        servers.option(EpollChannelOption.SO_REUSEPORT, shared);
        Channel socket = Transport.listen(servers, address);
        try {
            socket.config().setOption(EpollChannelOption.SO_REUSEPORT, true);
            return socket;
        } catch (RuntimeException e) {
            close(List.of(socket));
            throw e;
        }
    }

    private static boolean isLoopback(NodeAddress address) {
        InetSocketAddress resolved = address.toSocketAddress();
        return !resolved.isUnresolved() && resolved.getAddress().isLoopbackAddress();
    }

    /** The address that is bound. */
    public NodeAddress address() {
        return address;
    }

    /** Takes no new connection; returns when the port is free. */
    @Override
    public void close() {
        close(sockets);
    }

    private static void close(List<Channel> sockets) {
        sockets.stream().map(Channel::close).toList().forEach(closed -> closed.awaitUninterruptibly());
    }
}
