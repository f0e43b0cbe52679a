// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.albm.core.net.SendPacing;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.collection.LongObjectHashMap;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to one node, from its first call to its end; it never comes back to life, its owner makes another.
 *
 * <p>Connecting → open → retired → closed. A connection retires when the peer closes it, when it breaks, or when a
 * deadline passes without a single byte received since that call was sent: the path may be dead although no packet says
 * so, and TCP would try for minutes. Retired, it takes no new call but still waits for the answers of the old ones.
 *
 * <p>Only the two admission counters are shared between threads; all else belongs to the event loop.
 */
final class ClientConnection {

    /** Who makes connections. */
    interface Owner {
        /** The connection takes no more calls. */
        void retired(ClientConnection connection);

        /** A call came too late for the connection and was not sent. */
        void unsent(PendingCall call);
    }

    private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);
    private static final long RECONNECT_PAUSE_MILLIS = 200;

    private final Transport transport;
    private final EventLoop loop;
    private final NodeAddress to;
    private final FrameClientLimits limits;
    private final Owner owner;

    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicLong unsentBytes = new AtomicLong();

    private final LongObjectHashMap<PendingCall> pending = new LongObjectHashMap<>();
    private final List<PendingCall> waiting = new ArrayList<>();
    private @Nullable Channel channel;
    private @Nullable WireException connectFailure;
    private long bytesPerSecond;
    private boolean started;
    private boolean retired;
    private long receivedNanos = System.nanoTime();

    ClientConnection(Transport transport, EventLoop loop, NodeAddress to, FrameClientLimits limits, Owner owner) {
        this.transport = transport;
        this.loop = loop;
        this.to = to;
        this.limits = limits;
        this.owner = owner;
    }

    /** Takes a call from any thread, or fails it with BUSY. */
    void submit(PendingCall call) {
        if (admit(call)) {
            onLoop(() -> start(call));
        } else {
            call.refuse(new WireException(
                    WireCode.BUSY,
                    "%s: %d calls and %d unsent bytes already wait".formatted(to, admitted.get(), unsentBytes.get())));
        }
    }

    /** At most so many bytes per second, 0 for any. */
    void pace(long rate) {
        onLoop(() -> {
            if (rate != bytesPerSecond && channel != null) {
                SendPacing.set(channel, rate);
            }
            bytesPerSecond = rate;
        });
    }

    void close() {
        onLoop(() -> {
            retire();
            if (channel == null) {
                failAll(new WireException(WireCode.UNAVAILABLE, "this client is closed"));
            } else {
                channel.close();
            }
        });
    }

    private boolean admit(PendingCall call) {
        if (admitted.incrementAndGet() > limits.maxPending()) {
            admitted.decrementAndGet();
            return false;
        }
        // One call is always let through: a single body may be larger than a small bound.
        long before = unsentBytes.getAndAdd(call.requestBytes());
        if (before > 0 && before + call.requestBytes() > limits.maxUnsentBytes()) {
            unsentBytes.addAndGet(-call.requestBytes());
            admitted.decrementAndGet();
            return false;
        }
        return true;
    }

    private void start(PendingCall call) {
        if (connectFailure != null) {
            discharge(call);
            call.refuse(connectFailure);
        } else if (retired) {
            discharge(call);
            owner.unsent(call);
        } else {
            register(call);
        }
    }

    private void register(PendingCall call) {
        int millis = call.request().deadlineMillis();
        pending.put(call.request().requestId(), call);
        call.sent(System.nanoTime(), loop.schedule(() -> expire(call), millis, TimeUnit.MILLISECONDS));
        if (channel != null) {
            write(channel, call);
        } else {
            waiting.add(call);
            connect();
        }
    }

    private void discharge(PendingCall call) {
        admitted.decrementAndGet();
        unsentBytes.addAndGet(-call.requestBytes());
    }

    private void write(Channel open, PendingCall call) {
        open.writeAndFlush(call.request()).addListener(_ -> unsentBytes.addAndGet(-call.requestBytes()));
    }

    private void connect() {
        if (started) {
            return;
        }
        started = true;
        var connecting = transport
                .clientBootstrap(loop)
                .option(ChannelOption.ALLOCATOR, FramePool.allocator())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        fresh.pipeline()
                                .addLast(new FlushConsolidationHandler(
                                        FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true))
                                .addLast(new FrameEncoder())
                                .addLast(new FrameDecoder())
                                .addLast(new Answers());
                    }
                });
        connecting.connect(to.host(), to.port()).addListener(done -> {
            if (!done.isSuccess()) {
                connectFailed(done.cause());
            }
        });
    }

    private void connected(Channel open) {
        channel = open;
        if (bytesPerSecond != 0) {
            SendPacing.set(open, bytesPerSecond);
        }
        waiting.forEach(call -> write(open, call));
        waiting.clear();
        closeIfDone();
    }

    private void connectFailed(Throwable cause) {
        connectFailure =
                new WireException(WireCode.UNAVAILABLE, "%s cannot be reached: %s".formatted(to, cause.getMessage()));
        failAll(connectFailure);
        loop.schedule(this::retire, RECONNECT_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void lost(WireException reason) {
        retire();
        failAll(reason);
    }

    private void retire() {
        retired = true;
        owner.retired(this);
    }

    private void failAll(WireException reason) {
        for (var call : waiting) {
            call.request().release();
            unsentBytes.addAndGet(-call.requestBytes());
        }
        waiting.clear();
        var failed = List.copyOf(pending.values());
        pending.clear();
        admitted.addAndGet(-failed.size());
        failed.forEach(call -> call.fail(reason));
    }

    private void expire(PendingCall call) {
        if (pending.remove(call.request().requestId()) == null) {
            return;
        }
        admitted.decrementAndGet();
        if (waiting.remove(call)) {
            call.request().release();
            unsentBytes.addAndGet(-call.requestBytes());
        }
        if (receivedNanos - call.sentNanos() < 0) {
            retire();
        }
        call.fail(new WireException(
                WireCode.DEADLINE_EXCEEDED,
                "%s: no answer within %d ms".formatted(to, call.request().deadlineMillis())));
        closeIfDone();
    }

    private void received(Frame reply) {
        receivedNanos = System.nanoTime();
        if (ErrorFrames.isFatal(reply)) {
            // The peer closes behind it: a call sent after this one would be lost.
            retire();
        }
        var call = pending.remove(reply.requestId());
        if (call != null) {
            admitted.decrementAndGet();
            call.complete(reply);
        } else if (reply.type() == Frame.ERROR && reply.requestId() == 0) {
            lost(ErrorFrames.decode(reply));
            reply.release();
        } else {
            reply.release();
        }
        closeIfDone();
    }

    private void closeIfDone() {
        if (retired && pending.isEmpty() && channel != null) {
            channel.close();
        }
    }

    private void onLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** What arrives on the channel. */
    private final class Answers extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (ctx.channel().localAddress().equals(ctx.channel().remoteAddress())) {
                // TCP lets a socket reach itself if it was given the port it asks for and nobody listens there.
                connectFailed(new ConnectException("nobody listens there, the connection reached itself"));
                ctx.close();
            } else {
                connected(ctx.channel());
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            received((Frame) message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            lost(new WireException(WireCode.UNAVAILABLE, "%s: connection lost".formatted(to)));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof WireException e) {
                log.warn("connection to {} closed: {}: {}", to, e.code(), e.getMessage());
                lost(untrusted(e));
            } else {
                lost(new WireException(WireCode.UNAVAILABLE, "%s: %s".formatted(to, cause)));
            }
            ctx.close();
        }

        /** MALFORMED and TOO_LARGE are a peer's words about a request; a peer that sends no frames has said nothing. */
        private WireException untrusted(WireException broken) {
            return switch (broken.code()) {
                case MALFORMED, TOO_LARGE ->
                    new WireException(
                            WireCode.UNAVAILABLE,
                            "%s: what answers there is no ALBM node: %s".formatted(to, broken.getMessage()));
                default -> broken;
            };
        }
    }
}
