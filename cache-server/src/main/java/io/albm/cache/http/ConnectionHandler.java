// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.Document;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.Identity;
import io.albm.cache.store.LargeDocument;
import io.albm.cache.store.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One connection: its requests in order of arrival, each answered when it is its turn.
 *
 * <p>Every parsed request asks the store at once, so the documents of pipelined requests are found and read side by
 * side; the responses leave in order. At most {@link HttpSettings#pipelineDepth} requests are under way, from the
 * head until the last byte of the response was written; beyond it the connection is not read. So a client that does
 * not take its responses holds a bounded number of documents, and is closed after the write timeout.
 *
 * <p>A connection ends by half-closing: the last response is flushed, the output is shut, and what still comes in is
 * dropped for a moment, because closing with unread input would reset the connection and may destroy the response on
 * its way.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {

    private static final Duration LINGER = Duration.ofSeconds(2);

    private final DocumentStore store;
    private final Executor blocking;
    private final HttpSettings settings;
    private final HttpStats stats;
    private final LoadHeader load;
    private final Queue<Exchange> queue = new ArrayDeque<>();
    private final Deadline deadline;

    private ChannelHandlerContext context;
    private int underWay;
    private boolean receiving;
    private boolean streaming;
    private boolean draining;
    private boolean ending;

    @SuppressWarnings("NullAway.Init") // the pipeline calls handlerAdded before anything else
    ConnectionHandler(DocumentStore store, Executor blocking, HttpSettings settings, HttpStats stats, LoadHeader load) {
        this.store = store;
        this.blocking = blocking;
        this.settings = settings;
        this.stats = stats;
        this.load = load;
        Duration shorter = settings.headTimeout().compareTo(settings.idleTimeout()) < 0
                ? settings.headTimeout()
                : settings.idleTimeout();
        this.deadline = new Deadline(shorter, () -> context.close());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        deadline.start(ctx);
        deadline.arm(settings.idleTimeout());
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.stop();
        ending = true;
        queue.forEach(Exchange::discard);
        queue.clear();
        ctx.fireChannelInactive();
    }

    /** The first bytes of a request came in. */
    void headBegins() {
        if (!receiving && underWay == 0) {
            receiving = true;
            deadline.arm(settings.headTimeout());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (ending) {
                return;
            }
            if (message instanceof HttpRequest request) {
                begin(RequestReader.read(request));
            }
            if (message instanceof LastHttpContent) {
                requestEnds();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void requestEnds() {
        receiving = false;
        if (underWay > 0) {
            deadline.disarm();
        }
    }

    private void begin(Exchange exchange) {
        queue.add(exchange);
        underWay++;
        context.channel().config().setAutoRead(underWay < settings.pipelineDepth());
        if (exchange.isReady()) {
            writeReady();
        } else {
            store.request(exchange.path(), outcome -> deliver(exchange, outcome));
        }
    }

    private void deliver(Exchange exchange, Outcome outcome) {
        if (context.executor().inEventLoop()) {
            resolve(exchange, outcome);
            return;
        }
        try {
            context.executor().execute(() -> resolve(exchange, outcome));
        } catch (RejectedExecutionException e) {
            exchange.resolve(outcome);
            exchange.discard();
        }
    }

    private void resolve(Exchange exchange, Outcome outcome) {
        exchange.resolve(outcome);
        if (ending) {
            exchange.discard();
        } else {
            writeReady();
        }
    }

    private void writeReady() {
        Exchange next = queue.peek();
        while (next != null && next.isReady() && !streaming && !ending) {
            if (draining && queue.size() == 1) {
                next.closeAfter();
            }
            queue.remove();
            write(next);
            next = queue.peek();
        }
        context.flush();
    }

    private void write(Exchange exchange) {
        Refusal refusal = exchange.refusal();
        Outcome outcome = exchange.outcome();
        if (refusal != null) {
            writeRefusal(exchange, refusal);
        } else if (outcome != null) {
            writeOutcome(exchange, outcome);
        }
    }

    private void writeOutcome(Exchange exchange, Outcome outcome) {
        switch (outcome) {
            case Outcome.Found found -> writeDocument(exchange, found.document());
            case Outcome.Large large -> writeLarge(exchange, large.document());
            case Outcome.Missing missing ->
                writeRefusal(exchange, Refusal.of(HttpResponseStatus.NOT_FOUND, "no such document"));
            case Outcome.IsDirectory directory ->
                writeRefusal(
                        exchange,
                        Refusal.moved(
                                DocumentPath.directoryOf(exchange.request().uri())));
            case Outcome.Busy busy -> writeRefusal(exchange, Refusal.busy());
            case Outcome.Failed failed ->
                writeRefusal(
                        exchange,
                        Refusal.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, "the document cannot be read now"));
        }
    }

    private void writeRefusal(Exchange exchange, Refusal refusal) {
        byte[] text = (refusal.reason() + "\n").getBytes(StandardCharsets.UTF_8);
        HttpHeaders headers = refusal.headers()
                .copy()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, text.length);
        boolean head = exchange.request().method().equals(HttpMethod.HEAD);
        ByteBuf body = head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(text);
        finish(exchange, writeHead(exchange, refusal.status(), headers, body));
    }

    private void writeDocument(Exchange exchange, Document document) {
        Answer answer = answer(exchange, document.identity());
        ByteBuf body =
                document.content().retainedSlice(Math.toIntExact(answer.from()), Math.toIntExact(answer.bytes()));
        ChannelFuture written = writeHead(exchange, answer.status(), answer.headers(), body);
        written.addListener(done -> document.release());
        finish(exchange, written);
    }

    private void writeLarge(Exchange exchange, LargeDocument document) {
        Answer answer = answer(exchange, document.identity());
        if (answer.bytes() == 0) {
            finish(exchange, writeHead(exchange, answer.status(), answer.headers(), Unpooled.EMPTY_BUFFER));
            return;
        }
        streaming = true;
        StreamPump pump = new StreamPump(store, document, answer, settings.writeTimeout(), new Outlet(exchange));
        try {
            blocking.execute(pump);
        } catch (RejectedExecutionException e) {
            streaming = false;
            writeRefusal(exchange, Refusal.busy());
        }
    }

    private Answer answer(Exchange exchange, Identity identity) {
        HttpRequest request = exchange.request();
        return Answer.to(request.method(), request.headers(), exchange.path(), identity, Instant.now());
    }

    private ChannelFuture writeHead(Exchange exchange, HttpResponseStatus status, HttpHeaders headers, ByteBuf body) {
        stats.count(status.code(), body.readableBytes());
        complete(exchange, headers);
        return context.write(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body, headers, EmptyHttpHeaders.INSTANCE));
    }

    private void complete(Exchange exchange, HttpHeaders headers) {
        headers.set(HttpHeaderNames.DATE, DateFormatter.format(Date.from(Instant.now())));
        load.addTo(headers);
        HttpUtil.setKeepAlive(headers, exchange.request().protocolVersion(), exchange.keepAlive());
    }

    private void finish(Exchange exchange, ChannelFuture written) {
        if (!exchange.keepAlive()) {
            ending = true;
            queue.forEach(Exchange::discard);
            queue.clear();
        }
        written.addListener(done -> finished(exchange));
    }

    private void finished(Exchange exchange) {
        underWay--;
        if (!exchange.keepAlive() || (draining && underWay == 0)) {
            linger();
            return;
        }
        if (underWay == 0) {
            deadline.arm(settings.idleTimeout());
        }
        context.channel().config().setAutoRead(underWay < settings.pipelineDepth());
    }

    private void linger() {
        deadline.disarm();
        ((DuplexChannel) context.channel()).shutdownOutput();
        context.channel().config().setAutoRead(true);
        context.executor().schedule(() -> context.close(), LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets the requests under way finish and then closes; a connection without any is closed now. */
    void drain() {
        draining = true;
        if (underWay == 0) {
            context.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && isStuck()) {
            ctx.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Whether bytes wait to be written: with no progress for the write timeout, the client does not take them. */
    private boolean isStuck() {
        var outbound = context.channel().unsafe().outboundBuffer();
        return outbound != null && !outbound.isEmpty();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    /** Where a pump puts a streamed response; every method may be called from its thread. */
    final class Outlet {
        private final Exchange exchange;

        private Outlet(Exchange exchange) {
            this.exchange = exchange;
        }

        void begin(Answer answer) {
            context.executor().execute(() -> {
                stats.count(answer.status().code(), answer.bytes());
                complete(exchange, answer.headers());
                context.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, answer.status(), answer.headers()));
            });
        }

        ChannelFuture write(ByteBuf chunk) {
            return context.writeAndFlush(new DefaultHttpContent(chunk));
        }

        void end() {
            context.executor().execute(() -> {
                streaming = false;
                finish(exchange, context.write(LastHttpContent.EMPTY_LAST_CONTENT));
                writeReady();
            });
        }

        /** Nothing was sent yet: another answer takes its place. */
        void refuse(Refusal refusal) {
            context.executor().execute(() -> {
                streaming = false;
                writeRefusal(exchange, refusal);
                writeReady();
            });
        }

        /** The head is out and the rest cannot follow: only the end of the connection says so. */
        void cut() {
            stats.cutResponses.increment();
            context.close();
        }
    }
}
