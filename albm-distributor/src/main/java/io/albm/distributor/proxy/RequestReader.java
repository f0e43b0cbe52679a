// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.BodyReader;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.core.net.Watchdog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a client of HTTP/1.1 sends into heads and bodies, no faster than they are wanted.
 *
 * <p>Bytes that cannot be used yet (a next request before this one is answered, a body that its backend does not take)
 * are held as the one buffer they came in, and nothing more is read until they are used up. So a connection never holds
 * more than one read.
 *
 * <p>Confined to its event loop.
 */
final class RequestReader implements BulkReads.Mover {
    /** Where requests go. */
    interface Sink {
        /** Whether the next request may begin. */
        boolean takesRequest();

        /** A request; its head is the sink's from now on, its body waits for {@link RequestReader#resume}. */
        void request(RequestHead head);

        /** What came is no request, or not soon enough; what follows means nothing. */
        void refuse(Refusal why);

        /** All that could be read at once was handed over. */
        void readPaused();
    }

    private static final int REQUEST_TIMEOUT = 408;

    private final Worker worker;
    private final SocketChannel channel;
    private final Sink sink;
    private final Watchdog headWatch;
    private final RequestBody to;
    private final BodyReader body = new BodyReader();
    private @Nullable RequestHead head;
    private @Nullable ByteBuf held;
    private boolean reading;
    private boolean bulk;
    private boolean moved;
    private boolean paused;
    private boolean discarding;

    /** @param to where bodies go */
    RequestReader(Worker worker, SocketChannel channel, Sink sink, RequestBody to) {
        this.worker = worker;
        this.channel = channel;
        this.sink = sink;
        this.to = to;
        this.headWatch = new Watchdog(worker.headTimeouts(), this::tooSlow);
    }

    /** Takes over what came from the client; it may come unasked, as when a peer is gone or TLS had more. */
    void read(ByteBuf in) {
        reading = true;
        bulk = !in.isWritable();
        ByteBuf rest = held == null ? in : Unpooled.wrappedBuffer(takeHeld(), in);
        while (rest != null && rest.isReadable() && mayRead()) {
            rest = body.isOpen() ? body.read(rest, channel.alloc(), to) : readHead(rest);
        }
        reading = false;
        if (rest != null) {
            keep(rest);
        }
        sink.readPaused();
    }

    @Override
    public void beforeRead() {
        boolean wanted = bulk && !paused && !discarding && body.knownRest() >= Shortcut.SMALLEST_BULK;
        Channel shortcut = wanted ? to.shortcut() : null;
        if (shortcut != null) {
            move(shortcut);
        }
    }

    private void move(Channel shortcut) {
        long bytes = worker.shortcut().move(channel, shortcut, body.knownRest());
        bulk = bytes >= Shortcut.SMALLEST_BULK;
        if (bytes > 0) {
            moved = true;
            body.passedBy(bytes);
            to.moved(bytes);
        }
    }

    /** All that could be read at once was handed over: what the kernel moved has no other end. */
    void readComplete() {
        if (moved) {
            moved = false;
            body.end(to);
            sink.readPaused();
        }
    }

    private boolean mayRead() {
        return !discarding && (body.isOpen() ? !paused : sink.takesRequest());
    }

    private void keep(ByteBuf rest) {
        if (discarding || !rest.isReadable()) {
            rest.release();
        } else {
            held = rest;
            channel.config().setAutoRead(false);
        }
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        RequestHead begun = head;
        if (begun == null) {
            begun = worker.heads().request();
            head = begun;
        }
        boolean fresh = begun.isFresh();
        return switch (begun.feed(in)) {
            case INCOMPLETE -> {
                if (fresh) {
                    expectHead();
                }
                in.release();
                yield null;
            }
            case REFUSED -> {
                in.release();
                Refusal why = Objects.requireNonNull(begun.refusal());
                recycleHead();
                sink.refuse(why);
                yield null;
            }
            case COMPLETE -> {
                head = null;
                deliver(begun);
                yield in;
            }
        };
    }

    private void deliver(RequestHead request) {
        expectNoHead();
        body.begin(request.framing(), request.contentLength(), false);
        paused = body.isOpen();
        sink.request(request);
        if (paused && !discarding) {
            channel.config().setAutoRead(false);
        }
    }

    private void recycleHead() {
        if (head != null) {
            worker.heads().recycle(head);
            head = null;
        }
    }

    /** A head has begun, and has the head timeout to end. */
    void expectHead() {
        headWatch.arm();
    }

    void expectNoHead() {
        headWatch.disarm();
    }

    private void tooSlow() {
        sink.refuse(new Refusal(
                REQUEST_TIMEOUT,
                "request head: expected within " + worker.settings().headTimeout()));
    }

    /** Whether more of a request's body has to come. */
    boolean isInBody() {
        return body.isOpen();
    }

    /** Whether it is the client's turn to send a body. */
    boolean awaitsBody() {
        return body.isOpen() && !paused;
    }

    /** Whether bytes came that were not used yet. */
    boolean holdsBytes() {
        return held != null || reading;
    }

    /** Hands over no more of a body until {@link #resume}. */
    void pause() {
        paused = true;
        channel.config().setAutoRead(false);
    }

    /** Goes on, with what is held first. */
    void resume() {
        paused = false;
        if (!reading && held != null) {
            read(takeHeld());
        }
        if (held == null && !paused) {
            channel.config().setAutoRead(true);
        }
    }

    /** Reads the next request, now that it may begin. */
    void resumeIfStopped() {
        if (!reading && (held != null || !channel.config().isAutoRead())) {
            resume();
        }
    }

    private ByteBuf takeHeld() {
        ByteBuf waiting = Objects.requireNonNull(held);
        held = null;
        return waiting;
    }

    /** Stops for good: gives what is held to somebody else. */
    @Nullable
    ByteBuf handOver() {
        return held == null ? null : takeHeld();
    }

    /** Throws away what is held and what comes from now on. */
    void discard() {
        discarding = true;
        expectNoHead();
        releaseHeld();
    }

    /** The connection is closed. */
    void close() {
        expectNoHead();
        recycleHead();
        releaseHeld();
    }

    private void releaseHeld() {
        if (held != null) {
            takeHeld().release();
        }
    }
}
