// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: reads a request, answers it, and only then reads the next. Confined to its event loop. */
final class WebConnection extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger log = LoggerFactory.getLogger(WebConnection.class);

    private final Function<String, Route> routes;
    private final Map<String, String> commonHeaders;
    private final Executor blocking;
    private boolean answering;

    WebConnection(Function<String, Route> routes, Map<String, String> commonHeaders, Executor blocking) {
        this.routes = routes;
        this.commonHeaders = commonHeaders;
        this.blocking = blocking;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest message) {
        ctx.channel().config().setAutoRead(false);
        answering = true;
        var how = new Manner(HttpUtil.isKeepAlive(message), message.method().equals(HttpMethod.HEAD));
        if (message.decoderResult().isFailure()) {
            send(ctx, new Manner(false, false), WebResponse.text(400, "this is no HTTP request that can be read\n"));
            return;
        }
        var request = request(message);
        if (request == null) {
            send(ctx, how, WebResponse.text(400, "the path of this request cannot be decoded\n"));
        } else if (!request.method().equals("GET") && !request.method().equals("POST")) {
            send(
                    ctx,
                    how,
                    WebResponse.text(405, "only GET, HEAD and POST are served\n")
                            .with("allow", "GET, HEAD, POST"));
        } else {
            dispatch(ctx, how, request);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // Nothing comes or goes while a request is worked on, and that may take its time.
        if (event instanceof IdleStateEvent && !answering) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            log.warn("connection from {} closed", ctx.channel().remoteAddress(), cause);
        }
        ctx.close();
    }

    /** What the answer depends on in the request. */
    private record Manner(boolean keepAlive, boolean head) {}

    private static @Nullable WebRequest request(FullHttpRequest message) {
        try {
            return WebRequest.of(message);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private void dispatch(ChannelHandlerContext ctx, Manner how, WebRequest request) {
        switch (routes.apply(request.path())) {
            case Route.Inline(var handler) -> send(ctx, how, answer(handler, request));
            case Route.Blocking(var handler) -> answerLater(ctx, how, handler, request);
            case Route.Events(var stream) -> follow(ctx, how, stream);
        }
    }

    private void answerLater(ChannelHandlerContext ctx, Manner how, WebHandler handler, WebRequest request) {
        try {
            blocking.execute(() -> {
                var response = answer(handler, request);
                ctx.executor().execute(() -> send(ctx, how, response));
            });
        } catch (RejectedExecutionException e) {
            send(ctx, how, WebResponse.text(503, "too much is going on here: " + e.getMessage() + "\n"));
        }
    }

    private static WebResponse answer(WebHandler handler, WebRequest request) {
        try {
            return handler.handle(request);
        } catch (Exception e) {
            log.error("{} {} failed", request.method(), request.path(), e);
            return WebResponse.text(500, "this request failed; the log of the process says why\n");
        }
    }

    private void send(ChannelHandlerContext ctx, Manner how, WebResponse response) {
        var body = Unpooled.copiedBuffer(response.body(), StandardCharsets.UTF_8);
        int length = body.readableBytes();
        var message = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(response.status()),
                how.head() ? Unpooled.EMPTY_BUFFER : body);
        setHeaders(message.headers(), response.contentType());
        response.headers().forEach((name, value) -> message.headers().set(name, value));
        message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, length);
        HttpUtil.setKeepAlive(message, how.keepAlive());
        answering = false;
        var sent = ctx.writeAndFlush(message);
        if (how.keepAlive()) {
            ctx.channel().config().setAutoRead(true);
        } else {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void follow(ChannelHandlerContext ctx, Manner how, EventStream stream) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        setHeaders(head.headers(), "text/event-stream; charset=utf-8");
        head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (how.head() || !stream.hasRoom()) {
            send(ctx, how, WebResponse.text(how.head() ? 200 : 503, "as many pages as allowed follow this already\n"));
            return;
        }
        answering = false;
        ctx.writeAndFlush(head);
        stream.add(ctx.channel());
        // Reads on only to notice that the other side has gone.
        ctx.channel().config().setAutoRead(true);
    }

    private void setHeaders(HttpHeaders headers, String contentType) {
        commonHeaders.forEach(headers::set);
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
        headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        headers.set("x-content-type-options", "nosniff");
    }
}
