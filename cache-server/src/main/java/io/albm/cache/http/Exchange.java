// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Chunks;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request and the one reply to it. Every method is called on its event loop; a handler that did its work elsewhere comes
 * back with {@code loop().execute(...)}.
 *
 * <p><b>A reply</b> begins with its head, written to {@link #newHead}: the status line and header lines, each ended by CR
 * LF, with {@code Content-Length} if the length is known, and with {@code Date} (see {@link #dateLine}). The connection adds
 * what is between it and the client: {@code Connection}, {@code Transfer-Encoding}, the load report, the empty line. Then
 * comes one of
 *
 * <ul>
 *   <li>{@link #reply(int, ByteBuf)} or {@link #replyShared}: a whole body (left out by itself when HEAD was asked);
 *   <li>{@link #begin}, any number of {@link #write}, {@link #end}: a body in pieces. Between pieces a handler looks at
 *       {@link #isWritable} and waits for {@link #onWritable}; what it writes regardless is held in memory. If the rest
 *       cannot follow, {@link #cut} ends the connection, so that the client sees that it is not whole.
 * </ul>
 *
 * <p>Whatever a method takes over is released once, also if the method throws, which it does only when something is broken:
 * memory that is not there, an error in a counter. The reply cannot be whole then; see {@link #fail}.
 *
 * <p>Nothing but {@code newHead} and the writing of the head may happen between {@code newHead} and one of these: all
 * exchanges of a loop share one writer.
 *
 * <p><b>A client that goes away</b> makes {@link #isGone} true and runs what {@link #onGone} was given; every method may
 * still be called, does nothing, and releases what it is given.
 *
 * <p>After the reply has ended the exchange is used again for another request: who has answered forgets it.
 */
public final class Exchange {
    private final Connection connection;
    private final Replies replies;
    private final LoopContext loop;
    private @Nullable RequestHead head;
    private final ReplyPieces pieces;
    private @Nullable Runnable onGone;
    private @Nullable Runnable onWritable;
    private boolean keepAlive;
    private boolean begun;
    private boolean ended;
    private boolean gone;
    private boolean over;
    private @Nullable Chunks chunks;

    Exchange(Connection connection, Replies replies, LoopContext loop) {
        this.connection = connection;
        this.replies = replies;
        this.loop = loop;
        pieces = new ReplyPieces(replies, this);
    }

    void start(RequestHead request) {
        head = request;
        keepAlive = request.isKeepAlive();
        begun = false;
        ended = false;
        gone = false;
        over = false;
        chunks = null;
        onGone = null;
        onWritable = null;
    }

    // The request.

    /** The request's head, until the reply has ended. */
    public RequestHead head() {
        return Objects.requireNonNull(head);
    }

    /** The loop that this exchange belongs to. */
    public EventLoop loop() {
        return loop.loop();
    }

    /** Where buffers for replies come from. */
    public ByteBufAllocator allocator() {
        return connection.allocator();
    }

    /** Whether the client can have no reply any more. */
    public boolean isGone() {
        return gone;
    }

    /** Runs {@code action} if the client goes away before the reply has ended; at most one is kept. */
    public void onGone(Runnable action) {
        onGone = action;
    }

    /**
     * Asks for the request's body, which is otherwise thrown away. A client that waits for {@code 100 Continue} gets it.
     *
     * @param to is called for each piece, perhaps before this method returns, and at once with the end if there is no body
     */
    public void readBody(RequestBody to) {
        connection.readBody(to);
    }

    /** Whether to read more of the body now: a handler that cannot take more says no, and later yes. */
    public void wantBody(boolean wanted) {
        connection.wantBody(wanted);
    }

    // The reply.

    /** The loop's writer for heads, empty. What is written to it is of this moment. */
    public HeadWriter newHead() {
        connection.freshenClock();
        return loop.writer().clear();
    }

    /** The line {@code Date: ...} of this second, with its line break. */
    public byte[] dateLine() {
        return loop.lines().date();
    }

    /** Sends an interim head (1xx) at once; nothing if earlier replies are not sent yet, or for a client of HTTP/1.0. */
    public void interim() {
        if (!gone && !begun && head().isHttp11() && pieces.isTurn()) {
            replies.outbox().bytes(loop.writer().crlf());
            connection.flush();
        }
    }

    /**
     * Sends a whole reply that is one line of text.
     *
     * @param reason for the person who asked
     * @param lines further header lines, without their line breaks
     */
    public void refuse(int status, String reason, String... lines) {
        byte[] text = PlainReply.text(reason);
        PlainReply.head(newHead(), status, text.length, dateLine(), lines);
        reply(status, Unpooled.wrappedBuffer(text));
    }

    /** Sends a whole reply; takes over the body. */
    public void reply(int status, ByteBuf body) {
        replyShared(status, body, body.readerIndex(), body.readableBytes(), body);
    }

    /**
     * Sends a whole reply whose body is a part of memory that others use too.
     *
     * @param from where the body begins in {@code memory}
     * @param owner released once, when the bytes have been sent or copied
     */
    public void replyShared(int status, ByteBuf memory, int from, int length, ReferenceCounted owner) {
        boolean kept = false;
        try {
            startHead(status, Framing.LENGTH);
            kept = add(memory, from, length, owner);
        } finally {
            letGoUnless(kept, owner);
        }
        end();
    }

    /**
     * Begins a reply whose body follows.
     *
     * @param framing {@code LENGTH} if {@code Content-Length} was written, {@code CHUNKED} if the length is not known (a
     *     client of HTTP/1.0 gets it without chunks, and the end of the connection), {@code NONE} for no body
     */
    public void begin(int status, Framing framing) {
        startHead(status, framing);
    }

    private void startHead(int status, Framing framing) {
        if (gone || begun) {
            return;
        }
        begun = true;
        boolean chunked = framing == Framing.CHUNKED && head().isHttp11();
        chunks = chunked ? new Chunks() : null;
        keepAlive &= connection.mayStay(this) && (framing != Framing.CHUNKED || chunked);
        loop.stats().count(status);
        loop.lines().end(loop.writer(), chunked, head().isHttp11(), keepAlive);
        pieces.head(loop.writer(), allocator());
    }

    /** Goes on with a body; takes over the bytes. */
    public void write(ByteBuf bytes) {
        writeShared(bytes, bytes.readerIndex(), bytes.readableBytes(), bytes);
    }

    /**
     * Goes on with a body by a part of memory that others use too.
     *
     * @param from where it begins in {@code memory}
     * @param owner released once, when the bytes have been sent or copied, or need not be sent
     */
    public void writeShared(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        boolean kept = false;
        try {
            kept = add(memory, from, length, owner);
        } finally {
            letGoUnless(kept, owner);
        }
    }

    /** Whether the owner is kept, to be released when the bytes have been sent; if not, or if this throws, it is not. */
    private boolean add(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        if (length == 0 || !takesBody(length)) {
            return false;
        }
        if (chunks != null) {
            pieces.giveAway(chunks.line(length, allocator()));
        }
        return pieces.part(memory, from, length, owner);
    }

    private static void letGoUnless(boolean kept, ReferenceCounted owner) {
        if (!kept) {
            owner.release();
        }
    }

    /**
     * Goes on with a body of known length by a part of memory whose bytes never change again, not even when its owner has
     * let go of it: the kernel may then still be sending them.
     *
     * @param from where it begins in {@code memory}
     * @param owner released once, when the bytes have been handed to the kernel, or need not be sent
     */
    public void writeLasting(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        boolean kept = false;
        try {
            FileRegion pages = replies.outbox().pages(memory, from, length, owner);
            kept = pages == null ? add(memory, from, length, owner) : add(pages);
        } finally {
            letGoUnless(kept, owner);
        }
    }

    /** Goes on with a body of known length by a part of a file; takes over the region. */
    public void write(FileRegion region) {
        boolean kept = false;
        try {
            kept = add(region);
        } finally {
            letGoUnless(kept, region);
        }
    }

    private boolean add(FileRegion region) {
        return takesBody(region.count()) && pieces.region(region);
    }

    private boolean takesBody(long bytes) {
        boolean takes = !gone && begun && !ended && head().method() != Method.HEAD;
        if (takes) {
            loop.stats().addBody(bytes);
        }
        return takes;
    }

    /** Sends what was written. */
    public void flush() {
        if (!gone && pieces.isTurn()) {
            connection.flush();
        }
    }

    /** Whether the client takes more now. */
    public boolean isWritable() {
        return !gone && pieces.isTurn() && replies.isWritable();
    }

    /** Runs {@code action} once when the client takes more; at most one is kept. */
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    /** Ends a reply that was begun. */
    public void end() {
        if (gone || !begun || ended) {
            return;
        }
        if (chunks != null && head().method() != Method.HEAD) {
            pieces.giveAway(chunks.last());
        }
        ended();
    }

    /** Says that the server failed, or cuts the reply if that is too late. */
    public void fail(String reason) {
        if (begun) {
            cut();
        } else {
            refuse(500, reason);
        }
    }

    /** Ends the connection: the rest of a reply cannot follow. What was written of it is sent. */
    public void cut() {
        if (!gone) {
            loop.stats().cut();
            connection.breakOff();
        }
    }

    private void ended() {
        ended = true;
        if (pieces.isTurn()) {
            connection.replied();
        }
    }

    // For the connection.

    boolean isEnded() {
        return ended;
    }

    boolean keepsAlive() {
        return keepAlive;
    }

    boolean isBegun() {
        return begun;
    }

    /** Whether its reply is on its way and its place in the order given up. */
    boolean isOver() {
        return over;
    }

    /** Gives up its place, and its head. */
    RequestHead over() {
        over = true;
        RequestHead used = head();
        head = null;
        return used;
    }

    /** Its turn has come: what was held back goes out. */
    void turn() {
        pieces.turn();
        if (!ended) {
            writable();
        }
    }

    void writable() {
        Runnable action = onWritable;
        if (action != null && isWritable()) {
            onWritable = null;
            action.run();
        }
    }

    void abandon() {
        gone = true;
        pieces.discard();
        Runnable action = onGone;
        onGone = null;
        if (action != null && !ended) {
            action.run();
        }
    }
}
