// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: one request after the other, each with its {@link Exchange}. Owns everything that is said to
 * the client. Confined to its event loop.
 *
 * <p>A connection whose next request would start at an unsure place (malformed, timed out, body not read to its end) is
 * closed in two steps: first our side, then, after the client has closed or a while later, the rest. Closing at once
 * with unread bytes would reset the connection and take the answer away from the client.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private static final int LINGER_SECONDS = 2;
    private static final int DRAIN_GRACE_MILLIS = 500;
    private static final String RETRY_AFTER_SECONDS = "1";

    private final Worker worker;
    private final Channel channel;
    private final RequestDecoder decoder;
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final Watchdog headWatch;
    private final Watchdog idleWatch;
    private @Nullable Exchange exchange;
    private @Nullable HttpRequest request;
    private boolean requestComplete = true;
    private boolean responseBegan;
    private boolean keepAlive = true;
    private boolean untilClose;
    private boolean lingering;
    private boolean draining;
    private boolean nextWaits;
    private int status;
    private long beganNanos;

    ClientConnection(Worker worker, Channel channel) {
        this.worker = worker;
        this.channel = channel;
        ProxySettings settings = worker.settings();
        this.headWatch = new Watchdog(channel.eventLoop(), worker.clock(), settings.headTimeout(), this::tooSlow);
        this.idleWatch = new Watchdog(channel.eventLoop(), worker.clock(), settings.idleTimeout(), this::idledTooLong);
        this.decoder = new RequestDecoder(settings.maxHeadBytes(), headWatch::arm);
    }

    /** Puts the connection at the end of its channel's pipeline. */
    void install() {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast("decoder", decoder).addLast("encoder", encoder).addLast("client", this);
    }

    // From the client.

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        idleWatch.arm();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (lingering) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof Refusal refusal) {
            refuse(refusal);
        } else if (message instanceof HttpRequest head) {
            begin(head);
        } else if (message instanceof HttpContent content) {
            content(content);
        }
    }

    private void begin(HttpRequest head) {
        headWatch.disarm();
        idleWatch.disarm();
        request = head;
        requestComplete = false;
        responseBegan = false;
        untilClose = false;
        beganNanos = worker.clock().nanoTime();
        keepAlive = HttpUtil.isKeepAlive(head);
        encoder.answersHead(head.method().equals(HttpMethod.HEAD));
        Optional<Refusal> refusal = RequestRules.check(head);
        if (refusal.isPresent()) {
            refuse(refusal.get());
            return;
        }
        requestComplete = !hasBody(head);
        worker.stats().requestBegan();
        exchange = new Exchange(this, worker, head);
        exchange.start();
    }

    private static boolean hasBody(HttpRequest head) {
        return HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
    }

    /** Answers and closes: nothing after this request can be trusted. */
    private void refuse(Refusal refusal) {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        beganNanos = worker.clock().nanoTime();
        requestComplete = false;
        encoder.answersHead(false);
        answer(refusal.status(), refusal.reason());
    }

    private void content(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            malformedBody();
            return;
        }
        requestComplete = content instanceof LastHttpContent;
        idleWatch.disarm();
        Exchange current = exchange;
        if (current == null) {
            content.release();
            return;
        }
        current.requestContent(content);
        expectBody();
    }

    private void malformedBody() {
        Exchange current = exchange;
        if (current != null) {
            current.abort();
        }
        if (responseBegan) {
            cut();
        } else {
            refuse(Refusal.badRequest("request body: expected well-formed chunks"));
        }
    }

    private void expectBody() {
        if (!requestComplete && channel.config().isAutoRead()) {
            idleWatch.arm();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Exchange current = exchange;
        if (current != null) {
            current.requestPaused();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!channel.isWritable()) {
            return;
        }
        Exchange current = exchange;
        if (current != null) {
            idleWatch.disarm();
            current.clientWritable();
        } else if (nextWaits) {
            next();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        headWatch.close();
        idleWatch.close();
        Exchange current = exchange;
        if (current != null) {
            current.abort();
            over();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channel.close();
    }

    // To the client.

    /** The client's address, without its port. */
    String address() {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress().getHostAddress();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    void pauseReading() {
        idleWatch.disarm();
        channel.config().setAutoRead(false);
    }

    void resumeReading() {
        if (!requestComplete) {
            channel.config().setAutoRead(true);
            expectBody();
        }
    }

    /** The client takes nothing for now: it has the idle timeout to change that. */
    void awaitWritable() {
        idleWatch.arm();
    }

    /** Passes an interim answer (1xx) on, if the client can read it. */
    void interim(HttpResponse head) {
        if (isHttp11()) {
            channel.writeAndFlush(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            head.status(),
                            Unpooled.EMPTY_BUFFER,
                            head.headers(),
                            EmptyHttpHeaders.INSTANCE),
                    channel.voidPromise());
        }
    }

    /** Begins the response; its framing is chosen here. */
    void respond(HttpResponse head) {
        responseBegan = true;
        status = head.status().code();
        keepAlive &= !draining && requestComplete;
        frame(head);
        if (!keepAlive) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!isHttp11()) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        channel.write(head, channel.voidPromise());
    }

    private void frame(HttpResponse head) {
        boolean bodiless = head.status().code() == HttpResponseStatus.NO_CONTENT.code()
                || head.status().code() == HttpResponseStatus.NOT_MODIFIED.code()
                || (request != null && request.method().equals(HttpMethod.HEAD));
        if (bodiless || head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            return;
        }
        if (isHttp11()) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            untilClose = true;
            keepAlive = false;
        }
    }

    private boolean isHttp11() {
        return request != null && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    }

    /** Takes over the content's reference. */
    void respond(HttpContent content) {
        channel.write(content, channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    /** The response is whole. */
    void finish() {
        over();
        worker.stats().responded(status, worker.clock().nanoTime() - beganNanos);
        channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, channel.voidPromise());
        awaitNext();
    }

    /** Ends the response early, in a way that the client can tell from its end. */
    void cut() {
        over();
        worker.stats().note(ProxyStats.Event.CUT);
        if (untilClose) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.flush();
        channel.close();
    }

    /** Answers in place of a backend. */
    void answer(HttpResponseStatus answered, String reason) {
        over();
        if (!channel.isActive()) {
            return;
        }
        responseBegan = true;
        keepAlive &= !draining && requestComplete;
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, answered, body(reason));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set("X-Albm-Reason", reason);
        if (answered.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        worker.stats().responded(answered.code(), worker.clock().nanoTime() - beganNanos);
        channel.writeAndFlush(response, channel.voidPromise());
        awaitNext();
    }

    private static ByteBuf body(String reason) {
        return Unpooled.copiedBuffer(reason + "\n", StandardCharsets.UTF_8);
    }

    private void over() {
        if (exchange != null) {
            exchange = null;
            worker.stats().requestEnded();
        }
    }

    private void awaitNext() {
        if (!keepAlive || !requestComplete) {
            linger();
            return;
        }
        idleWatch.arm();
        nextWaits = !channel.isWritable();
        if (!nextWaits) {
            next();
        }
    }

    /** Not before the client has taken its last answer: whoever sends requests and reads nothing fills no memory. */
    private void next() {
        nextWaits = false;
        decoder.next(channel.pipeline().context(decoder));
    }

    private void linger() {
        if (lingering) {
            return;
        }
        lingering = true;
        headWatch.disarm();
        idleWatch.disarm();
        if (requestComplete) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        channel.config().setAutoRead(true);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> ((DuplexChannel) channel).shutdownOutput());
        var _ = channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }

    // Time.

    private void tooSlow() {
        refuse(new Refusal(
                HttpResponseStatus.REQUEST_TIMEOUT,
                "request head: expected within " + worker.settings().headTimeout()));
    }

    private void idledTooLong() {
        Exchange current = exchange;
        if (current == null) {
            channel.close();
            return;
        }
        current.abort();
        if (responseBegan) {
            cut();
        } else {
            refuse(new Refusal(
                    HttpResponseStatus.REQUEST_TIMEOUT,
                    "request body: expected a byte within " + worker.settings().idleTimeout()));
        }
    }

    /** Serves the request in hand and then closes; a client that is quiet gets a moment for what is on its way. */
    void drain() {
        draining = true;
        if (exchange == null) {
            var _ = channel.eventLoop().schedule(this::closeIfQuiet, DRAIN_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void closeIfQuiet() {
        if (exchange == null && !lingering) {
            channel.close();
        }
    }
}
