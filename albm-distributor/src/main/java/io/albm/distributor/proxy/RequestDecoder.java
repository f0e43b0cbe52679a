// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Lets one request through at a time, and only after {@link HeadScanner} has passed its head.
 *
 * <p>A pipelined request waits as bytes, not as objects, until {@link #next} is called; reading from the socket stops
 * meanwhile, so that at most one read's worth waits. A fault is passed on as a {@link Refusal}; all that comes after it
 * is thrown away.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK_BYTES = 64 << 10;

    private final HeadScanner scanner;
    private final Runnable onPartialHead;
    private boolean inMessage;
    private boolean awaitingHead = true;
    private boolean refused;

    /**
     * A decoder for one connection.
     *
     * @param onPartialHead called when a head has begun and not ended
     */
    RequestDecoder(int maxHeadBytes, Runnable onPartialHead) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(maxHeadBytes)
                .setMaxHeaderSize(maxHeadBytes)
                .setMaxChunkSize(MAX_CHUNK_BYTES));
        this.scanner = new HeadScanner(maxHeadBytes);
        this.onPartialHead = onPartialHead;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (refused) {
            buffer.skipBytes(buffer.readableBytes());
        } else if (inMessage || isNextHeadWhole(ctx, buffer, out)) {
            decodeMessage(ctx, buffer, out);
        }
    }

    private boolean isNextHeadWhole(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) {
        if (!awaitingHead) {
            ctx.channel().config().setAutoRead(false);
            return false;
        }
        boolean fresh = scanner.isFresh();
        return switch (scanner.scan(buffer)) {
            case HeadScanner.Verdict.Incomplete incomplete -> {
                if (fresh) {
                    onPartialHead.run();
                }
                yield false;
            }
            case HeadScanner.Verdict.Bad bad -> {
                refused = true;
                buffer.skipBytes(buffer.readableBytes());
                out.add(bad.refusal());
                yield false;
            }
            case HeadScanner.Verdict.Whole whole -> {
                scanner.reset();
                awaitingHead = false;
                inMessage = true;
                yield true;
            }
        };
    }

    private void decodeMessage(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        int before = out.size();
        super.decode(ctx, buffer, out);
        for (int i = before; i < out.size(); i++) {
            inMessage &= !(out.get(i) instanceof LastHttpContent);
        }
    }

    /** Allows the next request: to be called when the one before is answered. */
    void next(ChannelHandlerContext ctx) {
        awaitingHead = true;
        if (actualReadableBytes() > 0) {
            ctx.executor().execute(() -> decodeWaiting(ctx));
        }
        ctx.channel().config().setAutoRead(true);
    }

    private void decodeWaiting(ChannelHandlerContext ctx) {
        try {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            ctx.fireExceptionCaught(e);
        }
    }

    /** Keeps both headers, so that {@link RequestRules} sees the conflict and refuses it. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}
}
