// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.ProxyGreeting;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * One client of a TCP frontend: finds it a backend, and leaves the rest to a {@link Tunnel}. To a policy the whole
 * connection is one request, whose hash is that of the client's address. Confined to its event loop.
 *
 * <p>Until the backend is connected nothing is read from the client. A backend that cannot be connected to is replaced by
 * another, which costs no retry budget: no byte was sent.
 */
final class TcpSession extends ChannelInboundHandlerAdapter implements ClientHandler {
    private final Worker worker;
    private final SocketChannel channel;
    private final Frontend frontend;
    private final ProxyGreeting greeting;
    private final PlaceSearch search;
    private final Queue<ByteBuf> early = new ArrayDeque<>();
    private boolean inputEnded;
    private boolean ended;
    private long placedNanos;
    private long connectNanos;

    /**
     * A connection that was accepted.
     *
     * @param frontend where it came in
     */
    TcpSession(Worker worker, SocketChannel channel, Frontend frontend) {
        this.worker = worker;
        this.frontend = frontend;
        this.greeting = frontend.terms().spec().greeting();
        this.channel = channel;
        this.search = new Search(worker, frontend.terms().routes().otherwise());
    }

    /** What becomes of the session is what becomes of its search, until there is a tunnel. */
    private final class Search extends PlaceSearch {
        Search(Worker onLoop, Destination destination) {
            super(onLoop, destination);
        }

        @Override
        public long hash() {
            return ProxyHeader.client(channel).getAddress().hashCode();
        }

        @Override
        public int route() {
            return DEFAULT_ROUTE;
        }

        @Override
        void placed(Backend at) {
            placedNanos = nowNanos();
            connect(at);
        }

        @Override
        void unplaced(String reason) {
            worker.stats().requestEnded();
            channel.close();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        worker.clock().tick();
        worker.stats().requestBegan();
        worker.came(this);
        channel.closeFuture().addListener(closed -> worker.went(this));
        search.seek();
    }

    @Override
    public Frontend frontend() {
        return frontend;
    }

    private void connect(Backend to) {
        var tunnel = new Tunnel(worker, search.stalled(), frontend.traffic(), to.traffic(), this::tunnelEnded);
        var connect = worker.upstreams()
                .option(ChannelOption.RECVBUF_ALLOCATOR, HttpProxy.TUNNEL_BUFFERS)
                .handler(tunnel.back())
                .connect(to.socketAddress());
        connect.addListener(done -> {
            worker.clock().tick();
            if (done.isSuccess()) {
                to.connected();
                connectNanos = search.nowNanos() - placedNanos;
                joinOrBreak(tunnel);
            } else {
                to.connectFailed(String.valueOf(done.cause().getMessage()));
                worker.stats().note(ProxyStats.Event.CONNECT_FAILURE);
                tryNext();
            }
        });
    }

    private void tryNext() {
        if (search.isCancelled()) {
            end(Outcome.FAILED);
        } else {
            search.end(Outcome.FAILED, 0, 0);
            search.count(Count.RETRIES);
            search.seekAnother();
        }
    }

    private void end(Outcome outcome) {
        if (!ended) {
            ended = true;
            search.end(outcome, connectNanos, connectNanos);
            worker.stats().requestEnded();
        }
    }

    /**
     * Nobody else would close two connections of which only one knows the other, or give back the place. That they could not
     * be joined says nothing of the backend.
     */
    private void joinOrBreak(Tunnel tunnel) {
        try {
            join(tunnel);
        } catch (Throwable e) {
            channel.close();
            tunnel.back().channel().close();
            releaseEarly();
            end(Outcome.ABANDONED);
            throw e;
        }
    }

    private void join(Tunnel tunnel) {
        if (search.isCancelled()) {
            tunnel.back().channel().close();
            end(Outcome.ABANDONED);
            return;
        }
        ProxyIntroduction.send(greeting, channel, tunnel.back().channel().pipeline());
        channel.pipeline().replace(this, null, tunnel.front());
        tunnel.open();
        for (ByteBuf bytes = early.poll(); bytes != null; bytes = early.poll()) {
            tunnel.read(tunnel.front(), bytes);
        }
        tunnel.readComplete(tunnel.front());
        if (inputEnded) {
            tunnel.inputEnded(tunnel.front());
        }
    }

    private void tunnelEnded() {
        worker.clock().tick();
        end(Outcome.ANSWERED);
    }

    // From the client, before it has a backend: a read that was under way, or its end.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        early.add((ByteBuf) message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        inputEnded |= TunnelEnd.endsInput(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (search.cancel()) {
            worker.stats().requestEnded();
        }
        releaseEarly();
    }

    private void releaseEarly() {
        early.forEach(ByteBuf::release);
        early.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channel.close();
    }

    /** A connection is served to its end: nobody but its two sides knows where it could be cut. */
    @Override
    public void drain() {}

    @Override
    public void close() {
        channel.close();
    }
}
