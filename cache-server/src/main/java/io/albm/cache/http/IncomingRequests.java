// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What comes in on a connection: cuts the bytes into the heads of requests and what belongs to their bodies, one step at a
 * time, so that whoever asks for the steps sets the pace.
 *
 * <p>Keeps at most the bytes of one read and one whole head. While there are bytes that nobody has asked for, nothing more
 * is read from the socket. Confined to its event loop.
 */
final class IncomingRequests {
    private final LoopContext loop;
    private final Channel channel;
    private final IncomingBody body;
    private final ClientWatch watch;
    private @Nullable RequestHead begun;
    private @Nullable RequestHead waiting;
    private @Nullable Refusal refused;
    private @Nullable ByteBuf unread;
    private boolean reads = true;
    private boolean closed;

    IncomingRequests(LoopContext loop, Channel channel, IncomingBody body, ClientWatch watch) {
        this.loop = loop;
        this.channel = channel;
        this.body = body;
        this.watch = watch;
    }

    /** Takes over what was read from the socket. */
    void add(ByteBuf bytes) {
        unread = unread == null ? bytes : Unpooled.wrappedBuffer(unread, bytes);
    }

    /** Takes what is left out of a buffer that the next event uses again. */
    void leaveSharedBuffer() {
        ByteBuf rest = unread;
        if (rest != null) {
            unread = rest.copy();
            rest.release();
        }
    }

    boolean hasUnread() {
        return unread != null;
    }

    /** Whether more is read from the socket. */
    boolean reads() {
        return reads;
    }

    /** A request whose head is whole and that has not begun. */
    @Nullable
    RequestHead waiting() {
        return waiting;
    }

    /** Hands the waiting request over: it begins. */
    void handOver() {
        waiting = null;
    }

    /** Why what came is no request; nothing after it is understood. */
    @Nullable
    Refusal refused() {
        return refused;
    }

    void refuse(Refusal why) {
        refused = why;
    }

    /** The refusal is answered. */
    void toldRefusal() {
        refused = null;
    }

    /** Nothing has come that waits to be answered; a head may have begun. */
    boolean isQuiet() {
        return waiting == null && unread == null && refused == null;
    }

    /** Whether the client may be amid saying something. */
    boolean isMidway() {
        return unread != null || waiting != null || begun != null;
    }

    /** Whether a part of a head has come. */
    boolean isAmidHead() {
        return begun != null;
    }

    /** Goes on with the bytes there are: to the end of a head, or of what has come of a body. */
    void advance() {
        ByteBuf in = Objects.requireNonNull(unread);
        unread = null;
        ByteBuf rest = body.isOpen() ? body.read(in, channel.alloc()) : readHead(in);
        if (rest != null) {
            keep(rest);
        }
    }

    private void keep(ByteBuf rest) {
        if (rest.isReadable() && !closed) {
            unread = rest;
        } else {
            rest.release();
        }
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        RequestHead head = begun == null ? loop.heads().request() : begun;
        boolean fresh = head.isFresh();
        return switch (head.feed(in)) {
            case INCOMPLETE -> {
                begun = head;
                if (fresh) {
                    watch.headBegan();
                }
                in.release();
                yield null;
            }
            case REFUSED -> {
                refused = Objects.requireNonNull(head.refusal());
                headRead();
                loop.heads().recycle(head);
                in.release();
                yield null;
            }
            case COMPLETE -> {
                headRead();
                waiting = head;
                yield in;
            }
        };
    }

    private void headRead() {
        watch.headEnded();
        begun = null;
    }

    /** Reads on from the socket if all that came is used up, else not. */
    void readWhatIsWanted() {
        if (reads != (unread == null)) {
            read(!reads);
            if (begun != null) {
                watch.headIsRead(reads);
            }
        }
    }

    private void read(boolean on) {
        reads = on;
        channel.config().setAutoRead(on);
    }

    /** Reads on, but for whoever throws it away: the client may be waiting for that before it reads. */
    void readToTheEnd() {
        if (!reads) {
            read(true);
        }
    }

    /** Forgets what was not answered, and keeps nothing from now on. */
    void close() {
        closed = true;
        if (unread != null) {
            unread.release();
            unread = null;
        }
        if (begun != null) {
            loop.heads().recycle(begun);
            begun = null;
        }
        if (waiting != null) {
            loop.heads().recycle(waiting);
            waiting = null;
        }
    }
}
