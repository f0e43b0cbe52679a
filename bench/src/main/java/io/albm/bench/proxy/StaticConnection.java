// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.proxy.StaticServer.Answer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** One connection of a {@link StaticServer}: GET without a body, one after another, or an upload of the long body. */
final class StaticConnection extends ByteToMessageDecoder {
    private static final int METHOD = "GET ".length();
    private static final String UPLOAD = "PUT ";
    private static final int CR = '\r';
    private static final int LF = '\n';

    private final Function<String, Answer> answers;

    StaticConnection(Function<String, Answer> answers) {
        this.answers = answers;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        int end = endOfHead(in);
        if (end > 0) {
            String head = in.readCharSequence(end - in.readerIndex(), StandardCharsets.US_ASCII)
                    .toString();
            answer(ctx, head);
        }
    }

    /** Behind the empty line, or -1. */
    private static int endOfHead(ByteBuf in) {
        int from = in.readerIndex();
        while (true) {
            int line = in.indexOf(from, in.writerIndex(), (byte) LF);
            if (line < 0) {
                return -1;
            }
            if (line - from == 1 && in.getByte(from) == CR) {
                return line + 1;
            }
            from = line + 1;
        }
    }

    private void answer(ChannelHandlerContext ctx, String head) {
        String path = head.substring(METHOD, head.indexOf(' ', METHOD));
        if (path.equals(LongBody.PATH)) {
            longBody(ctx, head);
            return;
        }
        Answer answer = answers.apply(path);
        if (head.toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n")) {
            ctx.writeAndFlush(answer.close().duplicate()).addListener(ChannelFutureListener.CLOSE);
        } else {
            ctx.write(answer.keepAlive().duplicate(), ctx.voidPromise());
        }
    }

    private void longBody(ChannelHandlerContext ctx, String head) {
        if (head.startsWith(UPLOAD)) {
            ctx.pipeline().addLast(new LongBodyCheck()).remove(this);
        } else {
            LongBody.send(ctx);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        ctx.flush();
        super.channelReadComplete(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
