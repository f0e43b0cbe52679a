// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.SendProgress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One connection's end of a {@link Tunnel}. */
final class TunnelEnd extends ChannelInboundHandlerAdapter implements BulkReads.Mover {
    private final Tunnel tunnel;
    private @Nullable ChannelHandlerContext context;
    private @Nullable SendProgress progress;
    private boolean bulk;
    private boolean inputEnded;
    private boolean outputEnded;

    TunnelEnd(Tunnel tunnel) {
        this.tunnel = tunnel;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        progress = new SendProgress(ctx.channel());
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline");
    }

    Channel channel() {
        return context().channel();
    }

    /** How the other side of the connection takes what is written. */
    SendProgress progress() {
        return Objects.requireNonNull(progress, "not in a pipeline");
    }

    boolean hasOutputEnded() {
        return outputEnded;
    }

    // From the connection.

    @Override
    public void beforeRead() {
        if (bulk) {
            bulk = tunnel.move(this) >= Shortcut.SMALLEST_BULK;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        bulk = Shortcut.isBulk(bytes);
        tunnel.read(this, bytes);
    }

    /** Whether so much came that more may wait. */
    boolean hasBulk() {
        return bulk;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        tunnel.readComplete(this);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            tunnel.writable(this);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (endsInput(event) && !inputEnded) {
            inputEnded = true;
            tunnel.inputEnded(this);
        }
    }

    /** Whether an event says that no more bytes come: the connection's end, or that of TLS on it. */
    static boolean endsInput(Object event) {
        return event == ChannelInputShutdownEvent.INSTANCE || event == SslCloseCompletionEvent.SUCCESS;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        tunnel.closed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        tunnel.broken(this);
    }

    // To the connection.

    /** Takes over the buffer. A buffer over the mark is sent at once, which may make room. */
    void write(ByteBuf bytes) {
        ChannelHandlerContext to = context();
        to.write(bytes, to.voidPromise());
        if (!to.channel().isWritable()) {
            to.flush();
        }
    }

    boolean isWritable() {
        return context().channel().isWritable();
    }

    void flush() {
        context().flush();
    }

    /** Ends our direction behind what was written. */
    void endOutput() {
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(sent -> shutdown().addListener(shut -> {
                    outputEnded = true;
                    tunnel.outputEnded();
                }));
    }

    /** TLS says goodbye itself, and the connection below stays for what the other side has to say yet. */
    private ChannelFuture shutdown() {
        SslHandler tls = channel().pipeline().get(SslHandler.class);
        return tls == null ? ((DuplexChannel) channel()).shutdownOutput() : tls.closeOutbound();
    }

    void closeWhenSent() {
        if (context != null && channel().isActive()) {
            context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
