// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.BodyReader;
import io.albm.core.http.Framing;
import io.albm.core.http.Refusal;
import io.albm.core.http.ResponseHead;
import io.albm.core.net.Watchdog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the origin: idle in its pool, or lent to one request. It finds the response's end in the stream, and
 * goes back to the pool by itself when the response is whole, nothing stands behind it and the request was sent to its
 * end. Confined to its event loop.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter implements BodyReader.Sink {

    private static final int MAX_HEAD_BYTES = 64 << 10;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int MOST_INTERIMS = 16;

    private final UpstreamPool pool;
    private final Watchdog responseWatch;
    private final Watchdog idleWatch;
    private final ResponseHead head = new ResponseHead(MAX_HEAD_BYTES);
    private final BodyReader body = new BodyReader();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Upstream borrower;
    private boolean used;
    private boolean answered;
    private boolean sent;
    private boolean answersHead;
    private int interims;
    private boolean endIsTheOrigins;

    UpstreamConnection(UpstreamPool pool) {
        this.pool = pool;
        endIsTheOrigins = pool.settings().origin().tls() == null;
        responseWatch = new Watchdog(pool.responseTimeouts(), this::late);
        idleWatch = new Watchdog(pool.idleTimeouts(), this::close);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline");
    }

    boolean isActive() {
        return context().channel().isActive();
    }

    /** Begins a loan. */
    void lend(Upstream to, boolean forHead) {
        idleWatch.disarm();
        borrower = to;
        answered = false;
        sent = false;
        interims = 0;
        head.reset();
        answersHead = forHead;
        head.answersHead(forHead);
        body.abandon();
        to.ready(this);
    }

    /** Ends a loan of which nothing was made: the borrower does not need it any more. */
    void unused() {
        borrower = null;
        idleWatch.arm();
        pool.takeBack(this);
    }

    // What goes to the origin.

    Origin origin() {
        return pool.settings().origin();
    }

    ByteBufAllocator allocator() {
        return context().alloc();
    }

    /** Takes over the buffer. */
    void send(ByteBuf bytes) {
        ChannelHandlerContext to = context();
        to.writeAndFlush(bytes, to.voidPromise());
    }

    /** The request was sent to its end: it is the origin's turn. */
    void sent() {
        sent = true;
        responseWatch.arm();
    }

    /** It is the origin's turn to take what was sent. */
    void awaitWritable() {
        responseWatch.arm();
    }

    boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Upstream current = borrower;
        if (current != null && ctx.channel().isWritable()) {
            pool.tick();
            if (!sent) {
                responseWatch.disarm();
            }
            current.writable();
        }
    }

    // What comes from it.

    /** Stops reading the response: its receiver cannot take more. */
    void pause() {
        responseWatch.disarm();
        context().channel().config().setAutoRead(false);
    }

    /** Goes on reading. */
    void resume() {
        if (borrower != null && !context().channel().config().isAutoRead()) {
            responseWatch.arm();
            context().channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        pool.tick();
        ByteBuf in = (ByteBuf) message;
        if (borrower != null && responseWatch.isArmed()) {
            responseWatch.arm();
        }
        @Nullable ByteBuf rest = in;
        while (rest != null && borrower != null) {
            rest = body.isOpen() ? body.read(rest, ctx.alloc(), this) : head(rest);
        }
        if (rest != null) {
            unasked(rest);
        }
    }

    /** Bytes that no request asked for: whoever borrows this connection next must not take them for its response. */
    private void unasked(ByteBuf rest) {
        if (rest.isReadable()) {
            close();
        }
        rest.release();
    }

    private @Nullable ByteBuf head(ByteBuf in) {
        answered = true;
        return switch (head.feed(in)) {
            case INCOMPLETE -> {
                in.release();
                yield null;
            }
            case REFUSED -> {
                in.release();
                Refusal why = Objects.requireNonNull(head.refusal());
                fail(UpstreamFailure.broken(why.reason()));
                yield null;
            }
            case COMPLETE -> complete(in);
        };
    }

    private @Nullable ByteBuf complete(ByteBuf in) {
        Upstream to = Objects.requireNonNull(borrower);
        if (head.status() == SWITCHING_PROTOCOLS) {
            in.release();
            fail(UpstreamFailure.broken("nobody asked for another protocol"));
            return null;
        }
        if (head.isInterim()) {
            if (++interims > MOST_INTERIMS) {
                in.release();
                fail(UpstreamFailure.broken("more than " + MOST_INTERIMS + " interim ones before it"));
                return null;
            }
            to.interim(head);
            head.reset();
            return kept(in);
        }
        body.begin(head.framing(), head.contentLength(), true);
        to.head(head);
        if (head.framing() == Framing.NONE && borrower != null) {
            bodyEnd(!in.isReadable());
        }
        return kept(in);
    }

    private static @Nullable ByteBuf kept(ByteBuf in) {
        if (in.isReadable()) {
            return in;
        }
        in.release();
        return null;
    }

    @Override
    public void bodyBytes(ByteBuf bytes) {
        Upstream to = borrower;
        if (to == null) {
            bytes.release();
        } else {
            to.bytes(bytes);
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        Upstream to = borrower;
        if (to == null) {
            return; // Abandoned within the last bytes, and closed.
        }
        responseWatch.disarm();
        borrower = null;
        if (head.isKeepAlive() && nothingFollows && sent && isActive()) {
            used = true;
            context().channel().config().setAutoRead(true);
            idleWatch.arm();
            pool.takeBack(this);
        } else {
            close();
        }
        to.end();
    }

    @Override
    public void bodyMalformed(String reason) {
        fail(UpstreamFailure.broken(reason));
    }

    /** Over TLS only a word of the origin ends a body, because anybody can end the connection. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        endIsTheOrigins |= event instanceof SslCloseCompletionEvent closing && closing.isSuccess();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        pool.tick();
        if (endIsTheOrigins && body.closed()) {
            bodyEnd(true);
        } else {
            body.abandon();
            lost("it closed the connection");
        }
        close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        pool.tick();
        body.abandon();
        lost(String.valueOf(cause.getMessage()));
    }

    /** A connection that served before may have been closed while the request was on its way: then another one is tried. */
    private void lost(String reason) {
        Upstream to = borrower;
        if (to != null && used && !answered && to.mayRepeat()) {
            borrower = null;
            close();
            pool.repeat(to, answersHead);
        } else {
            fail(answered ? UpstreamFailure.broken(reason) : UpstreamFailure.unreachable(reason));
        }
    }

    private void late() {
        fail(UpstreamFailure.late("nothing came for " + pool.settings().responseTimeout()));
    }

    private void fail(UpstreamFailure failure) {
        Upstream to = borrower;
        borrower = null;
        close();
        if (to != null) {
            to.failed(failure);
        }
    }

    /** Ends the connection without telling the borrower. */
    void abandon() {
        borrower = null;
        close();
    }

    private void close() {
        responseWatch.disarm();
        idleWatch.disarm();
        pool.forget(this);
        context().close();
    }
}
