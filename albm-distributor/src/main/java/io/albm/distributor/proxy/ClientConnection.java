// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.BodyReader;
import io.albm.distributor.http.Client;
import io.albm.distributor.http.Method;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One client's HTTP/1.1 connection: one request after the other, each with its {@link Exchange}. Confined to its event
 * loop.
 *
 * <p>Bytes that cannot be used yet (a next request before this one is answered, a body that its backend does not take)
 * are held as the one buffer they came in, and nothing more is read until they are used up. So a connection never holds
 * more than one read.
 *
 * <p>A connection whose next request would start at an unsure place (malformed, timed out, body not read to its end) is
 * closed in two steps: first our side, then, after the client has closed or a while later, the rest. Closing at once
 * with unread bytes would reset the connection and take the answer away from the client.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter
        implements ClientHandler, ClientStream, BodyReader.Sink {
    private static final int LINGER_SECONDS = 2;
    private static final int DRAIN_GRACE_MILLIS = 500;
    private static final int REQUEST_TIMEOUT = 408;

    private final Worker worker;
    private final SocketChannel channel;
    private final boolean secure;
    private final AtomicInteger open;
    private final ClientOutput output;
    private final Watchdog headWatch;
    private final Watchdog idleWatch;
    private final BodyReader body = new BodyReader();
    private @Nullable RequestHead head;
    private @Nullable Exchange exchange;
    private @Nullable ByteBuf held;
    private @Nullable ByteBuf preface;
    private @Nullable Client client;
    private boolean mayTurnHttp2;
    private boolean consuming;
    private boolean paused;
    private boolean unsure;
    private boolean responseBegan;
    private boolean http11;
    private boolean keepAlive = true;
    private boolean lingering;
    private boolean switched;
    private boolean draining;
    private boolean nextWaits;
    private int status;
    private long beganNanos;

    /**
     * A connection that was accepted.
     *
     * @param secure whether it is encrypted
     * @param open how many there are; counted down when this one closes
     */
    ClientConnection(Worker worker, SocketChannel channel, boolean secure, AtomicInteger open) {
        this.worker = worker;
        this.channel = channel;
        this.secure = secure;
        this.mayTurnHttp2 = !secure && worker.settings().clearText() == ClearText.ANY;
        this.open = open;
        this.output = new ClientOutput(worker, channel);
        this.headWatch = new Watchdog(worker.headTimeouts(), this::tooSlow);
        this.idleWatch = new Watchdog(worker.idleTimeouts(), this::idledTooLong);
    }

    // From the client.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        worker.came(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        worker.clock().tick();
        idleWatch.arm();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        worker.clock().tick();
        ByteBuf in = (ByteBuf) message;
        if (mayTurnHttp2 && (preface != null || Http2Preface.isBegun(in))) {
            awaitPreface(ctx, in);
        } else {
            mayTurnHttp2 = false;
            consume(in);
        }
    }

    /** A client that begins with HTTP/2 knows that it is spoken here (RFC 9113, 3.3). */
    private void awaitPreface(ChannelHandlerContext ctx, ByteBuf in) {
        ByteBuf begun = preface == null ? in : Http2Preface.joined(preface, in, ctx.alloc());
        preface = null;
        if (Http2Preface.is(begun)) {
            switchToHttp2(ctx, begun);
        } else if (Http2Preface.isBegun(begun)) {
            preface = begun;
            headWatch.arm();
        } else {
            mayTurnHttp2 = false;
            consume(begun);
        }
    }

    private void switchToHttp2(ChannelHandlerContext ctx, ByteBuf begun) {
        headWatch.disarm();
        idleWatch.disarm();
        worker.went(this);
        new Http2Connection(worker, channel, client(), open).install();
        ctx.fireChannelRead(begun);
        channel.pipeline().remove(this);
    }

    private void consume(ByteBuf in) {
        consuming = true;
        ByteBuf rest = in;
        while (rest != null && rest.isReadable() && mayRead()) {
            rest = body.isOpen() ? body.read(rest, channel.alloc(), this) : readHead(rest);
        }
        consuming = false;
        if (rest != null) {
            keep(rest);
        }
        Exchange current = exchange;
        if (current != null) {
            current.requestPaused();
            expectBody();
        }
    }

    private boolean mayRead() {
        return !lingering && (body.isOpen() ? !paused : exchange == null && !nextWaits);
    }

    private void keep(ByteBuf rest) {
        if (lingering || !rest.isReadable()) {
            rest.release();
        } else {
            held = rest;
            channel.config().setAutoRead(false);
        }
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        RequestHead reading = head;
        if (reading == null) {
            reading = worker.heads().request();
            head = reading;
        }
        boolean fresh = reading.isFresh();
        return switch (reading.feed(in)) {
            case INCOMPLETE -> {
                if (fresh) {
                    headWatch.arm();
                }
                in.release();
                yield null;
            }
            case REFUSED -> {
                in.release();
                Refusal reason = Objects.requireNonNull(reading.refusal());
                recycleHead();
                refuse(reason);
                yield null;
            }
            case COMPLETE -> {
                head = null;
                begin(reading);
                yield in;
            }
        };
    }

    private void recycleHead() {
        if (head != null) {
            worker.heads().recycle(head);
            head = null;
        }
    }

    private void begin(RequestHead request) {
        headWatch.disarm();
        idleWatch.disarm();
        responseBegan = false;
        beganNanos = worker.clock().now();
        http11 = request.isHttp11();
        keepAlive = request.isKeepAlive();
        output.begin(http11, request.method() == Method.HEAD);
        body.begin(request.framing(), request.contentLength(), false);
        paused = body.isOpen();
        worker.stats().requestBegan();
        Exchange begun = new Exchange(this, worker, request);
        exchange = begun;
        begun.start();
        if (paused) {
            channel.config().setAutoRead(false);
        }
    }

    /** Answers and closes: nothing after this request can be trusted. */
    private void refuse(Refusal refusal) {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        if (exchange == null) {
            beganNanos = worker.clock().now();
            output.begin(true, false);
        }
        unsure = true;
        answer(refusal);
    }

    @Override
    public void bodyBytes(ByteBuf bytes) {
        Exchange current = exchange;
        if (current == null) {
            bytes.release();
        } else {
            current.requestBody(bytes);
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        idleWatch.disarm();
        Exchange current = exchange;
        if (current != null) {
            current.requestEnd();
        }
    }

    @Override
    public void bodyMalformed(String reason) {
        abortAndRefuse(Refusal.badRequest("request body: " + reason));
    }

    private void abortAndRefuse(Refusal refusal) {
        Exchange current = exchange;
        if (current != null) {
            current.abort();
        }
        if (responseBegan) {
            cut();
        } else {
            refuse(refusal);
        }
    }

    private void expectBody() {
        if (body.isOpen() && !paused) {
            idleWatch.arm();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!channel.isWritable()) {
            return;
        }
        worker.clock().tick();
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
        gone();
        headWatch.disarm();
        idleWatch.disarm();
        recycleHead();
        output.discard();
        if (held != null) {
            held.release();
            held = null;
        }
        if (preface != null) {
            preface.release();
            preface = null;
        }
        Exchange current = exchange;
        if (current != null) {
            current.abort();
            over();
        }
    }

    private void gone() {
        worker.went(this);
        open.decrementAndGet();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channel.close();
    }

    // To the client.

    @Override
    public Client client() {
        Client known = client;
        if (known == null) {
            known = Client.of(ProxyHeader.client(channel), secure);
            client = known;
        }
        return known;
    }

    @Override
    public boolean takesChunks() {
        return http11;
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void pauseReading() {
        paused = true;
        idleWatch.disarm();
        channel.config().setAutoRead(false);
    }

    @Override
    public void resumeReading() {
        paused = false;
        ByteBuf waiting = held;
        if (!consuming && waiting != null) {
            held = null;
            consume(waiting);
        }
        if (held == null && !paused) {
            channel.config().setAutoRead(true);
            expectBody();
        }
    }

    @Override
    public void awaitWritable() {
        idleWatch.arm();
    }

    @Override
    public void interim(ResponseHead interim) {
        if (http11) {
            output.interim(interim);
        }
    }

    @Override
    public boolean canSwitchProtocols() {
        return true;
    }

    @Override
    public void switchProtocols(ResponseHead response, TunnelEnd successor) {
        switched = true;
        over();
        worker.stats().responded(response.status(), worker.clock().now() - beganNanos);
        output.switchProtocols(response);
        channel.closeFuture().addListener(closed -> gone());
        ChannelHandlerContext own = channel.pipeline().context(this);
        channel.pipeline().replace(this, null, successor);
        if (held != null) {
            successor.channelRead(own, held);
            held = null;
        }
    }

    @Override
    public void respond(ResponseHead response) {
        responseBegan = true;
        status = response.status();
        keepAlive &= !draining && !body.isOpen() && !output.lastsUntilClose(response);
        output.head(response, keepAlive);
    }

    @Override
    public void body(ByteBuf bytes) {
        output.body(bytes);
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public void finish() {
        over();
        worker.stats().responded(status, worker.clock().now() - beganNanos);
        output.end();
        awaitNext();
    }

    @Override
    public void cut() {
        over();
        worker.stats().note(ProxyStats.Event.CUT);
        if (output.isUntilClose()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        output.flush();
        channel.close();
    }

    @Override
    public void answer(Refusal refusal) {
        over();
        if (!channel.isActive()) {
            return;
        }
        responseBegan = true;
        keepAlive &= !draining && !unsure && !body.isOpen();
        worker.stats().responded(refusal.status(), worker.clock().now() - beganNanos);
        output.answer(refusal, keepAlive);
        awaitNext();
    }

    private void over() {
        if (exchange != null) {
            exchange = null;
            worker.stats().requestEnded();
        }
    }

    private void awaitNext() {
        if (!keepAlive || unsure || body.isOpen()) {
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
        if (!consuming && (held != null || !channel.config().isAutoRead())) {
            resumeReading();
        }
    }

    private void linger() {
        if (lingering) {
            return;
        }
        lingering = true;
        headWatch.disarm();
        idleWatch.disarm();
        if (!unsure && !body.isOpen() && held == null && !consuming) {
            output.closeWhenSent();
            return;
        }
        if (held != null) {
            held.release();
            held = null;
        }
        channel.config().setAutoRead(true);
        output.shutdownWhenSent();
        var _ = channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }

    // Time.

    private void tooSlow() {
        refuse(new Refusal(
                REQUEST_TIMEOUT,
                "request head: expected within " + worker.settings().headTimeout()));
    }

    private void idledTooLong() {
        if (exchange == null) {
            channel.close();
        } else {
            abortAndRefuse(new Refusal(
                    REQUEST_TIMEOUT,
                    "request body: expected a byte within " + worker.settings().idleTimeout()));
        }
    }

    /** Serves the request in hand and then closes; a client that is quiet gets a moment for what is on its way. */
    @Override
    public void drain() {
        draining = true;
        if (exchange == null) {
            var _ = channel.eventLoop().schedule(this::closeIfQuiet, DRAIN_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void closeIfQuiet() {
        if (exchange == null && !lingering && !switched) {
            channel.close();
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
