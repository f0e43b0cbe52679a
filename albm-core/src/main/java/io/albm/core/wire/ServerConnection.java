// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One accepted connection: hands requests to the handler and writes the answers. Confined to its event loop. */
final class ServerConnection extends ChannelInboundHandlerAdapter {

    private static final Logger log = LoggerFactory.getLogger(ServerConnection.class);
    private static final long LINGER_MILLIS = 1_000;

    private final Peer peer;
    private final FrameDecoder decoder;
    private final FrameHandler handler;
    private final InFlight allInFlight;
    private final StandstillWatch watch;
    private final int maxInFlight;
    private int inFlight;
    private boolean closing;

    ServerConnection(
            Peer peer, FrameDecoder decoder, FrameHandler handler, InFlight allInFlight, FrameServerLimits limits) {
        this.peer = peer;
        this.decoder = decoder;
        this.handler = handler;
        this.allInFlight = allInFlight;
        this.watch = new StandstillWatch(decoder, limits.maxStandstill());
        this.maxInFlight = limits.maxInFlightPerConnection();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closing) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof RefusedFrame refused) {
            begin(ctx);
            answer(ctx, refused.requestId(), null, refused.reason());
        } else {
            take(ctx, (Frame) message);
        }
    }

    private void take(ChannelHandlerContext ctx, Frame request) {
        begin(ctx);
        long requestId = request.requestId();
        dispatch(request).whenComplete((reply, error) -> onLoop(ctx, () -> answer(ctx, requestId, reply, error)));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        watch.arrived(ctx);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        handler.closed(peer);
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        switch (cause) {
            case WireException e -> {
                log.warn("connection from {} closed: {}: {}", ctx.channel().remoteAddress(), e.code(), e.getMessage());
                refuse(ctx, ErrorFrames.encode(ctx.alloc(), decoder.failedRequestId(), e));
            }
            case IOException e -> {
                log.debug("connection from {} broke: {}", ctx.channel().remoteAddress(), e.toString());
                ctx.close();
            }
            default -> {
                log.error("connection from {} failed", ctx.channel().remoteAddress(), cause);
                ctx.close();
            }
        }
    }

    private void refuse(ChannelHandlerContext ctx, Frame error) {
        closing = true;
        closeBehind(ctx.channel(), ctx.writeAndFlush(error));
    }

    /**
     * Closes once the peer has had the chance to read what was written: closing at once, with bytes of the peer still
     * unread, would reset the connection and take the error frame with it.
     */
    static void closeBehind(Channel channel, ChannelFuture lastWrite) {
        channel.config().setAutoRead(true);
        lastWrite.addListener(_ -> {
            ((DuplexChannel) channel).shutdownOutput();
            channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    private CompletionStage<Reply> dispatch(Frame request) {
        if (request.type() == Frame.PING) {
            request.release();
            return CompletableFuture.completedStage(Reply.of(Frame.PONG));
        }
        if (allInFlight.draining()) {
            request.release();
            return CompletableFuture.failedStage(new WireException(WireCode.BUSY, "this node is shutting down"));
        }
        try {
            return handler.handle(request, peer);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static void onLoop(ChannelHandlerContext ctx, Runnable task) {
        if (ctx.executor().inEventLoop()) {
            task.run();
        } else {
            ctx.executor().execute(task);
        }
    }

    private void answer(ChannelHandlerContext ctx, long requestId, @Nullable Reply reply, @Nullable Throwable error) {
        if (reply != null) {
            ctx.writeAndFlush(new Answer(requestId, reply)).addListener(_ -> {
                end(ctx);
                reply.sent().run();
            });
            return;
        }
        var failure = asWireException(error);
        var frame = ErrorFrames.encode(ctx.alloc(), requestId, failure);
        if (failure.code().fatal()) {
            refuse(ctx, frame);
            end(ctx);
        } else {
            ctx.writeAndFlush(frame).addListener(_ -> end(ctx));
        }
    }

    private void begin(ChannelHandlerContext ctx) {
        allInFlight.begin();
        if (++inFlight == maxInFlight) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void end(ChannelHandlerContext ctx) {
        allInFlight.end();
        if (inFlight-- == maxInFlight) {
            watch.readAgain(ctx);
            ctx.channel().config().setAutoRead(true);
        }
    }

    private static WireException asWireException(@Nullable Throwable error) {
        return switch (error) {
            case CompletionException e when e.getCause() != null -> asWireException(e.getCause());
            case WireException e -> e;
            case RejectedExecutionException e -> new WireException(WireCode.BUSY, String.valueOf(e.getMessage()));
            case null -> new WireException(WireCode.INTERNAL, "the handler gave no answer");
            default -> {
                log.error("a request failed", error);
                yield new WireException(WireCode.INTERNAL, error.toString());
            }
        };
    }
}
