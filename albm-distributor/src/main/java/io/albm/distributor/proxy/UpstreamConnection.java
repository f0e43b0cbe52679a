// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Method;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.albm.core.net.Watchdog;
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
 * One connection to a backend: either in its pool or lent to one exchange, never both. {@link ResponseReader} finds the
 * ends of responses in the stream. Confined to its event loop.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter implements ResponseReader.Sink {
    private final UpstreamPool pool;
    private final Worker worker;
    private final Watchdog responseWatch;
    private final Watchdog idleWatch;
    private final ResponseReader reader;
    private final Intake intake = new Intake();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Borrower borrower;
    private @Nullable TunnelEnd successor;
    private boolean expecting;
    private boolean reused;
    private boolean reusable = true;

    UpstreamConnection(UpstreamPool pool, Worker worker) {
        this.pool = pool;
        this.worker = worker;
        this.responseWatch = new Watchdog(worker.responseTimeouts(), this::responseTimedOut);
        this.idleWatch = new Watchdog(worker.upstreamIdleTimeouts(), this::close);
        this.reader = new ResponseReader(worker, this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (Shortcut.isPossible(ctx.channel())) {
            BulkReads.give(ctx.channel(), () -> reader.beforeRead(ctx.channel()));
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
        intake.begin();
        reader.expect(method == Method.HEAD, withoutChunks);
    }

    /** Gives the connection back after a whole response. */
    void giveBack() {
        expectNothing();
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
        expectNothing();
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
        sent(bytes.readableBytes());
        to.write(bytes, to.voidPromise());
    }

    void flush() {
        context().flush();
    }

    /** The backend has to take or send something from now on; while it is not read from, the client has to. */
    void expectResponse() {
        expecting = true;
        if (isReading()) {
            watchBackend();
        }
    }

    private void watchBackend() {
        intake.watch(context().channel());
        responseWatch.arm();
    }

    /** It is not the backend's turn, though it may send what it likes. */
    void expectNothing() {
        expecting = false;
        responseWatch.disarm();
    }

    /** Puts off the end of a wait, but begins none: a backend may speak while its request is still being sent. */
    private void moved() {
        if (responseWatch.isArmed()) {
            responseWatch.arm();
        }
    }

    /** Where the kernel may move bytes to; null if it may not. */
    @Nullable
    Channel shortcut() {
        Channel channel = context().channel();
        return Shortcut.isPossible(channel) ? channel : null;
    }

    /** So many bytes were moved there. */
    void sentByShortcut(long bytes) {
        sent(bytes);
    }

    private void sent(long bytes) {
        intake.sent(bytes);
        pool.traffic().add(Count.BYTES_IN, bytes);
    }

    void pauseReading() {
        responseWatch.disarm();
        context().channel().config().setAutoRead(false);
    }

    void resumeReading() {
        if (!isReading()) {
            startReading();
            if (expecting) {
                watchBackend();
            }
        }
    }

    private boolean isReading() {
        return context().channel().config().isAutoRead();
    }

    private void startReading() {
        context().channel().config().setAutoRead(true);
    }

    // From the backend.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        worker.clock().tick();
        ByteBuf in = (ByteBuf) message;
        pool.traffic().add(Count.BYTES_OUT, in.readableBytes());
        moved();
        ByteBuf behind = reader.read(in, ctx.alloc());
        if (behind != null) {
            behind(ctx, behind);
        }
        if (reader.shortcutForBulk() != null) {
            responsePaused();
        }
    }

    private void responsePaused() {
        Borrower to = borrower;
        if (to != null) {
            to.responsePaused();
        }
    }

    private void behind(ChannelHandlerContext ctx, ByteBuf rest) {
        TunnelEnd to = successor;
        if (to == null) {
            unasked(rest);
        } else {
            reader.close();
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

    @Override
    public boolean takesResponse() {
        return borrower != null;
    }

    @Override
    public void interim(ResponseHead head) {
        Objects.requireNonNull(borrower).interimHead(head);
    }

    @Override
    public void response(ResponseHead head) {
        reusable = head.isKeepAlive();
        Objects.requireNonNull(borrower).responseHead(head);
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
    public @Nullable Channel bodyShortcut() {
        Borrower to = borrower;
        return to == null ? null : to.shortcut();
    }

    @Override
    public void bodyMoved(long bytes) {
        worker.clock().tick();
        moved();
        pool.traffic().add(Count.BYTES_OUT, bytes);
        Borrower to = borrower;
        if (to != null) {
            to.responseMoved(bytes);
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
    public void refuse(String reason) {
        end("malformed response: " + reason);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reader.readComplete();
        responsePaused();
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
        reader.closed();
        end("connection closed by the backend");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.clock().tick();
        end(String.valueOf(cause.getMessage()));
    }

    private void end(String reason) {
        reader.close();
        close();
        pool.forget(this);
        Borrower current = borrower;
        borrower = null;
        if (current != null) {
            current.lost(reason);
        }
    }

    private void responseTimedOut() {
        if (intake.isMoving(context().channel())) {
            responseWatch.arm();
            return;
        }
        Borrower current = borrower;
        borrower = null;
        close();
        if (current != null) {
            current.timedOut();
        }
    }
}
