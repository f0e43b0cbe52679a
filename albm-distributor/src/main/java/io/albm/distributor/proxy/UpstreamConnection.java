// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a backend: either in its pool or lent to one exchange, never both. Confined to its event loop.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter {
    /** What the borrower of a connection hears. After {@link #lost} or after giving it back it hears nothing more. */
    interface Borrower {
        void responseHead(HttpResponse head);

        /** The borrower releases the content. */
        void responseContent(HttpContent content);

        /** All that could be read at once was handed over. */
        void responsePaused();

        /** The backend takes bytes again. */
        void upstreamWritable();

        /** The connection is no more. */
        void lost(String reason);

        /** The backend had the request for long and sent nothing. */
        void timedOut();
    }

    private final UpstreamPool pool;
    private final Channel channel;
    private final Watchdog responseWatch;
    private final Watchdog idleWatch;
    private @Nullable Borrower borrower;
    private boolean reused;

    UpstreamConnection(UpstreamPool pool, Channel channel) {
        this.pool = pool;
        this.channel = channel;
        ProxySettings settings = pool.settings();
        this.responseWatch =
                new Watchdog(channel.eventLoop(), pool.clock(), settings.responseTimeout(), this::responseTimedOut);
        this.idleWatch = new Watchdog(channel.eventLoop(), pool.clock(), settings.upstreamIdleTimeout(), this::close);
    }

    /** True if an earlier exchange used it: the backend may be closing it at this very moment. */
    boolean isReused() {
        return reused;
    }

    boolean isActive() {
        return channel.isActive();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    void lend(Borrower to) {
        idleWatch.disarm();
        borrower = to;
    }

    /** Gives the connection back after a whole response. */
    void giveBack() {
        responseWatch.disarm();
        borrower = null;
        reused = true;
        channel.config().setAutoRead(true);
        idleWatch.arm();
        pool.takeBack(this);
    }

    /** Ends the connection without telling the borrower. */
    void abandon() {
        borrower = null;
        close();
    }

    void close() {
        responseWatch.close();
        idleWatch.close();
        channel.close();
    }

    void send(HttpRequest head) {
        channel.write(head, channel.voidPromise());
    }

    /** Takes over the content's reference. */
    void send(HttpContent content) {
        channel.write(content, channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    /** The backend has to send something from now on. */
    void expectResponse() {
        responseWatch.arm();
    }

    /** It is not the backend's turn. */
    void expectNothing() {
        responseWatch.disarm();
    }

    void pauseReading() {
        responseWatch.disarm();
        channel.config().setAutoRead(false);
    }

    void resumeReading() {
        if (!channel.config().isAutoRead()) {
            responseWatch.arm();
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Borrower current = borrower;
        if (current == null) {
            ReferenceCountUtil.release(message);
            close();
            return;
        }
        responseWatch.arm();
        deliver(current, (HttpObject) message);
    }

    private static void deliver(Borrower to, HttpObject message) {
        if (message.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            to.lost("malformed response");
        } else if (message instanceof HttpResponse head) {
            to.responseHead(head);
        } else if (message instanceof HttpContent content) {
            to.responseContent(content);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Borrower current = borrower;
        if (current != null) {
            current.responsePaused();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Borrower current = borrower;
        if (current != null && channel.isWritable()) {
            current.upstreamWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end("connection closed by the backend");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(String.valueOf(cause.getMessage()));
    }

    private void end(String reason) {
        close();
        pool.forget(this);
        Borrower current = borrower;
        borrower = null;
        if (current != null) {
            current.lost(reason);
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
