// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.core.topology.ProxyGreeting;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One client of a TCP frontend: finds it a backend, and leaves the rest to a {@link Tunnel}. To a policy the whole
 * connection is one request, whose hash is that of the client's address. Confined to its event loop.
 *
 * <p>Until the backend is connected nothing is read from the client. A backend that cannot be connected to is replaced by
 * another, which costs no retry budget: no byte was sent.
 */
final class TcpSession extends ChannelInboundHandlerAdapter implements WaitingRoom.Guest, ClientHandler {
    private final Worker worker;
    private final SocketChannel channel;
    private final Frontend frontend;
    private final Destination destination;
    private final ProxyGreeting greeting;
    private final List<ByteBuf> early = new ArrayList<>();
    private List<String> tried = List.of();
    private @Nullable Backend backend;
    private boolean inputEnded;
    private boolean gone;
    private boolean waiting;
    private int attempts;
    private long sinceNanos;
    private long queuedNanos;
    private long ticket;
    private long beganNanos;
    private long connectedNanos;

    /**
     * A connection that was accepted.
     *
     * @param frontend where it came in
     */
    TcpSession(Worker worker, SocketChannel channel, Frontend frontend) {
        this.worker = worker;
        this.frontend = frontend;
        this.destination = frontend.terms().routes().otherwise();
        this.greeting = frontend.terms().spec().greeting();
        this.channel = channel;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        beganNanos = worker.clock().tick();
        worker.stats().requestBegan();
        worker.came(this);
        channel.closeFuture().addListener(closed -> worker.went(this));
        attempt();
    }

    @Override
    public Frontend frontend() {
        return frontend;
    }

    // What a policy may know.

    @Override
    public long hash() {
        return ProxyHeader.client(channel).getAddress().hashCode();
    }

    @Override
    public int route() {
        return DEFAULT_ROUTE;
    }

    @Override
    public boolean tried(String backendId) {
        return tried.contains(backendId);
    }

    @Override
    public long nowNanos() {
        return worker.clock().now();
    }

    // Finding a backend.

    private void attempt() {
        Backend next = attempts < worker.settings().maxAttempts()
                ? destination.pool().room().take(this, worker.random())
                : null;
        if (next == Backend.WAIT || next == Backend.FULL) {
            waiting = true;
            sinceNanos = nowNanos();
            destination.pool().room().enter(this);
        } else {
            go(next);
        }
    }

    @Override
    public boolean reserve(Backend at) {
        long taken = at.begin(this);
        if (taken == BackendLoad.FULL) {
            return false;
        }
        ticket = taken;
        backend = at;
        return true;
    }

    private void go(@Nullable Backend next) {
        if (next == null) {
            worker.stats().note(ProxyStats.Event.NO_BACKEND);
            closeUnserved();
        } else {
            attempts++;
            connect(next);
        }
    }

    private void closeUnserved() {
        worker.stats().requestEnded();
        channel.close();
    }

    // While every backend is full or tight.

    @Override
    public BackendChooser chooser() {
        return destination.chooser();
    }

    @Override
    public Priority priority() {
        return destination.priority();
    }

    @Override
    public long sinceNanos() {
        return sinceNanos;
    }

    @Override
    public boolean isRetry() {
        return !tried.isEmpty();
    }

    @Override
    public EventExecutor loop() {
        return worker.loop();
    }

    @Override
    public void admitted(@Nullable Backend to) {
        waiting = false;
        queuedNanos += worker.clock().tick() - sinceNanos;
        if (gone) {
            end(Outcome.ABANDONED);
            worker.stats().requestEnded();
        } else {
            go(to);
        }
    }

    @Override
    public void turnedAway(String reason) {
        if (waiting) {
            waiting = false;
            closeUnserved();
        }
    }

    private void connect(Backend to) {
        var tunnel = new Tunnel(worker, frontend.traffic(), to.traffic(), this::tunnelEnded);
        var connect = worker.upstreams()
                .option(ChannelOption.RECVBUF_ALLOCATOR, HttpProxy.TUNNEL_BUFFERS)
                .handler(tunnel.back())
                .connect(to.socketAddress());
        connect.addListener(done -> {
            worker.clock().tick();
            if (done.isSuccess()) {
                to.connected();
                connectedNanos = nowNanos();
                join(tunnel);
            } else {
                to.connectFailed(String.valueOf(done.cause().getMessage()));
                worker.stats().note(ProxyStats.Event.CONNECT_FAILURE);
                tryNext(to);
            }
        });
    }

    private void tryNext(Backend failed) {
        end(Outcome.FAILED);
        if (gone) {
            worker.stats().requestEnded();
            return;
        }
        failed.traffic().note(Count.RETRIES);
        failed.traffic().note(Count.REDISPATCHES);
        if (tried.isEmpty()) {
            tried = new ArrayList<>();
        }
        tried.add(failed.id());
        attempt();
    }

    private void end(Outcome outcome) {
        Backend used = backend;
        if (used != null) {
            backend = null;
            used.end(ticket, outcome, connectedNanos - beganNanos, nowNanos());
            if (outcome == Outcome.ANSWERED) {
                used.traffic().took(queuedNanos, connectedNanos - beganNanos - queuedNanos, 0, nowNanos() - beganNanos);
            }
            destination.pool().room().roomMade(worker.loop());
        }
    }

    private void join(Tunnel tunnel) {
        if (gone) {
            tunnel.back().channel().close();
            end(Outcome.ABANDONED);
            worker.stats().requestEnded();
            return;
        }
        ProxyIntroduction.send(greeting, channel, tunnel.back().channel().pipeline());
        channel.pipeline().replace(this, null, tunnel.front());
        tunnel.open();
        early.forEach(bytes -> tunnel.read(tunnel.front(), bytes));
        early.clear();
        tunnel.readComplete(tunnel.front());
        if (inputEnded) {
            tunnel.inputEnded(tunnel.front());
        }
    }

    private void tunnelEnded() {
        worker.clock().tick();
        end(Outcome.ANSWERED);
        worker.stats().requestEnded();
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
        gone = true;
        leave();
        early.forEach(ByteBuf::release);
        early.clear();
    }

    private void leave() {
        if (waiting && destination.pool().room().leave(this)) {
            waiting = false;
            worker.stats().requestEnded();
        }
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
