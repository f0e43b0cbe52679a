// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.BodyReader;
import io.albm.distributor.http.Method;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.http.Trailers;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a backend: either in its pool or lent to one exchange, never both. Finds the ends of responses in
 * the stream. Confined to its event loop.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter implements BodyReader.Sink, BulkReads.Mover {
    private final UpstreamPool pool;
    private final Worker worker;
    private final Watchdog responseWatch;
    private final Watchdog idleWatch;
    private final BodyReader body = new BodyReader();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Borrower borrower;
    private @Nullable ResponseHead head;
    private @Nullable TunnelEnd successor;
    private boolean bulk;
    private boolean answersHead;
    private boolean decoded;
    private boolean reused;
    private boolean reusable = true;

    UpstreamConnection(UpstreamPool pool, Worker worker) {
        this.pool = pool;
        this.worker = worker;
        this.responseWatch = new Watchdog(worker.responseTimeouts(), this::responseTimedOut);
        this.idleWatch = new Watchdog(worker.upstreamIdleTimeouts(), this::close);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (Shortcut.isPossible(ctx.channel())) {
            BulkReads.give(ctx.channel(), this);
        }
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline");
    }

    /** True if an earlier exchange used it: the backend may be closing it at this very moment. */
    boolean isReused() {
        return reused;
    }

    boolean isActive() {
        return context().channel().isActive();
    }

    boolean isWritable() {
        return context().channel().isWritable();
    }

    /**
     * Begins a loan.
     *
     * @param method of the request that is about to be sent
     * @param withoutChunks whether the borrower wants the data of a chunked body alone
     */
    void lend(Borrower to, Method method, boolean withoutChunks) {
        idleWatch.disarm();
        borrower = to;
        answersHead = method == Method.HEAD;
        decoded = withoutChunks;
    }

    /** Gives the connection back after a whole response. */
    void giveBack() {
        responseWatch.disarm();
        borrower = null;
        if (!reusable) {
            close();
            return;
        }
        reused = true;
        startReading();
        idleWatch.arm();
        pool.takeBack(this);
    }

    /** Leaves the connection to a tunnel, which gets all bytes from now on. */
    void switchProtocols(TunnelEnd to) {
        responseWatch.disarm();
        borrower = null;
        successor = to;
        context().channel().closeFuture().addListener(closed -> pool.forget(this));
        context().pipeline().replace(this, null, to);
    }

    /** Ends the connection without telling the borrower. */
    void abandon() {
        borrower = null;
        close();
    }

    void close() {
        responseWatch.disarm();
        idleWatch.disarm();
        context().channel().close();
    }

    /** The backend's host and port. */
    byte[] authority() {
        return pool.authority();
    }

    /** What goes through the backend. */
    Traffic traffic() {
        return pool.traffic();
    }

    ByteBufAllocator allocator() {
        return context().alloc();
    }

    /** Takes over the buffer. */
    void send(ByteBuf bytes) {
        ChannelHandlerContext to = context();
        pool.traffic().add(Count.BYTES_IN, bytes.readableBytes());
        to.write(bytes, to.voidPromise());
    }

    void flush() {
        context().flush();
    }

    /** The backend has to send something from now on. */
    void expectResponse() {
        responseWatch.arm();
    }

    /** It is not the backend's turn. */
    void expectNothing() {
        responseWatch.disarm();
    }

    /** Where the kernel may move bytes to; null if it may not. */
    @Nullable
    Channel shortcut() {
        Channel channel = context().channel();
        return Shortcut.isPossible(channel) ? channel : null;
    }

    /** So many bytes were moved there. */
    void sentByShortcut(long bytes) {
        pool.traffic().add(Count.BYTES_IN, bytes);
    }

    void pauseReading() {
        responseWatch.disarm();
        context().channel().config().setAutoRead(false);
    }

    void resumeReading() {
        if (!context().channel().config().isAutoRead()) {
            responseWatch.arm();
            startReading();
        }
    }

    private void startReading() {
        context().channel().config().setAutoRead(true);
    }

    // From the backend.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        worker.clock().tick();
        ByteBuf rest = (ByteBuf) message;
        pool.traffic().add(Count.BYTES_OUT, rest.readableBytes());
        bulk = !rest.isWritable();
        if (borrower != null) {
            responseWatch.arm();
        }
        while (rest != null && rest.isReadable() && borrower != null) {
            rest = body.isOpen() ? body.read(rest, ctx.alloc(), this) : readHead(rest);
        }
        if (rest != null) {
            behind(ctx, rest);
        }
        if (shortcutForBulk() != null && borrower != null) {
            borrower.responsePaused();
        }
    }

    /** Where what waits is to be moved to by the kernel; null if it is little, or may not be. */
    private @Nullable Channel shortcutForBulk() {
        boolean wanted = bulk && body.knownRest() >= Shortcut.SMALLEST_BULK;
        return wanted && borrower != null ? borrower.shortcut() : null;
    }

    @Override
    public void beforeRead() {
        Channel shortcut = shortcutForBulk();
        Borrower to = borrower;
        if (to != null && shortcut != null) {
            move(to, shortcut);
        }
    }

    private void move(Borrower to, Channel shortcut) {
        long bytes = worker.shortcut().move(context().channel(), shortcut, body.knownRest());
        bulk = bytes >= Shortcut.SMALLEST_BULK;
        if (bytes > 0) {
            worker.clock().tick();
            responseWatch.arm();
            pool.traffic().add(Count.BYTES_OUT, bytes);
            body.passedBy(bytes);
            to.responseMoved(bytes);
        }
    }

    private void behind(ChannelHandlerContext ctx, ByteBuf rest) {
        TunnelEnd to = successor;
        if (to == null) {
            unasked(rest);
        } else {
            recycleHead();
            to.channelRead(ctx, rest);
        }
    }

    /** Bytes that belong to no response: whoever gets this connection next must not take them for its own. */
    private void unasked(ByteBuf rest) {
        if (rest.isReadable()) {
            close();
        }
        rest.release();
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        ResponseHead reading = head;
        if (reading == null) {
            reading = worker.heads().response();
            reading.answersHead(answersHead);
            head = reading;
        }
        return switch (reading.feed(in)) {
            case INCOMPLETE -> {
                in.release();
                yield null;
            }
            case REFUSED -> {
                in.release();
                end("malformed response: "
                        + Objects.requireNonNull(reading.refusal()).reason());
                yield null;
            }
            case COMPLETE -> {
                deliver(reading, !in.isReadable());
                yield in;
            }
        };
    }

    private void deliver(ResponseHead whole, boolean nothingFollows) {
        Borrower to = Objects.requireNonNull(borrower);
        if (whole.isInterim()) {
            to.interimHead(whole);
            whole.reset();
            return;
        }
        head = null;
        reusable = whole.isKeepAlive();
        body.begin(whole.framing(), whole.contentLength(), decoded);
        boolean over = !body.isOpen();
        to.responseHead(whole);
        if (over && borrower != null) {
            bodyEnd(nothingFollows);
        }
    }

    @Override
    public void bodyBytes(ByteBuf bytes) {
        Borrower to = borrower;
        if (to == null) {
            bytes.release();
        } else {
            to.responseBody(bytes);
        }
    }

    @Override
    public void bodyTrailers(Trailers trailers) {
        Borrower to = borrower;
        if (to != null) {
            to.responseTrailers(trailers);
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        reusable &= nothingFollows;
        Borrower to = borrower;
        if (to != null) {
            to.responseEnd();
        }
    }

    @Override
    public void bodyMalformed(String reason) {
        end("malformed response: " + reason);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        body.end(this);
        Borrower current = borrower;
        if (current != null) {
            current.responsePaused();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Borrower current = borrower;
        if (current != null && ctx.channel().isWritable()) {
            worker.clock().tick();
            current.upstreamWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        worker.clock().tick();
        if (borrower != null && body.closed()) {
            bodyEnd(false);
        }
        end("connection closed by the backend");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.clock().tick();
        end(String.valueOf(cause.getMessage()));
    }

    private void end(String reason) {
        body.abandon();
        close();
        pool.forget(this);
        recycleHead();
        Borrower current = borrower;
        borrower = null;
        if (current != null) {
            current.lost(reason);
        }
    }

    private void recycleHead() {
        if (head != null) {
            worker.heads().recycle(head);
            head = null;
        }
    }

    private void responseTimedOut() {
        Borrower current = borrower;
        borrower = null;
        close();
        if (current != null) {
            current.timedOut();
        }
    }
}
