// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** A keep-alive connection which carries one request at a time. Confined to the load's event loop. */
final class LoadConnection extends SimpleChannelInboundHandler<HttpObject> {
    /** What became of the request that a connection carried. */
    interface Outcome {
        /** The whole response is there; {@code reusable} tells whether the connection may carry another. */
        void complete(LoadConnection connection, Fetch fetch, boolean reusable);

        /** The connection ended first. */
        void cut(LoadConnection connection, @Nullable Fetch fetch, String reason);
    }

    private final String host;
    private final Outcome outcome;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Fetch current;
    private boolean keepAlive;
    private String closeReason = "the server closed the connection";

    LoadConnection(String host, Outcome outcome) {
        this.host = host;
        this.outcome = outcome;
    }

    void send(Fetch fetch) {
        current = fetch;
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.GET, fetch.document().path(), Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, host);
        context().writeAndFlush(request);
    }

    void close() {
        context().close();
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not connected yet");
        }
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        Fetch fetch = current;
        if (fetch == null || message.decoderResult().isFailure()) {
            closeReason = fetch == null ? "a response that nobody asked for" : "a response that is not HTTP";
            ctx.close();
            return;
        }
        if (message instanceof HttpResponse response) {
            fetch.head(response.status().code());
            keepAlive = HttpUtil.isKeepAlive(response);
        }
        if (message instanceof HttpContent content) {
            fetch.body(content.content());
        }
        if (message instanceof LastHttpContent) {
            current = null;
            outcome.complete(this, fetch, keepAlive);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Fetch cut = current;
        current = null;
        outcome.cut(this, cut, closeReason);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        closeReason = String.valueOf(cause.getMessage());
        ctx.close();
    }
}
