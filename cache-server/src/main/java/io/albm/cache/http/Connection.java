// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Framing;
import io.albm.core.http.Method;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: cuts what comes in into requests, hands each to the handler as soon as its head is whole, and
 * sends the replies in the order of the requests.
 *
 * <p><b>What a hit costs.</b> One read call brings the bytes; the head is read in place, the handler answers within the
 * call, the reply is copied or linked into the outbox, and one write call sends all replies of this event. No object is
 * made for a header, no timer is set, nothing is queued.
 *
 * <p><b>What is held is bounded.</b> At most {@link HttpSettings#pipelineDepth} requests are under way. Beyond it, or while
 * the client does not take what is written, or while a body is not wanted, the bytes of one read are kept and nothing more
 * is read. Requests that are neither GET nor HEAD, or have a body, run alone.
 *
 * <p><b>Its end.</b> A connection whose next request would start at an unsure place (malformed, too slow, body not read) is
 * closed in two steps, see {@link Outbox#closeInTwoSteps}. A client may end its side early and still gets what it asked for.
 *
 * <p>Confined to its event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final int REQUEST_TIMEOUT = 408;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final LoopContext loop;
    private final Channel channel;
    private final ArrayDeque<Exchange> exchanges = new ArrayDeque<>(2);
    private final IncomingBody body;
    private final Outbox outbox;
    private final ClientWatch watch;
    private @Nullable Exchange spare;
    private @Nullable RequestHead reading;
    private @Nullable RequestHead waiting;
    private @Nullable Refusal refused;
    private @Nullable ByteBuf unread;
    private boolean reads = true;
    private boolean writable = true;
    private boolean alone;
    private boolean busy;
    private boolean wasWritable;
    private boolean advancing;
    private boolean draining;
    private boolean inputEnded;
    private boolean unsure;
    private boolean ending;
    private boolean closing;

    Connection(LoopContext loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
        outbox = new Outbox(loop, channel);
        body = new IncomingBody(this);
        watch = new ClientWatch(loop, this, outbox.progress());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.clock().tick();
        rearm();
        SocketReader.install(channel, this, loop.buffers());
    }

    ByteBufAllocator allocator() {
        return channel.alloc();
    }

    Outbox outbox() {
        return outbox;
    }

    // What comes in.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        arrived((ByteBuf) message);
    }

    private void arrived(ByteBuf in) {
        loop.clock().tick();
        if (ending) {
            in.release();
            return;
        }
        unread = unread == null ? in : Unpooled.wrappedBuffer(unread, in);
        proceed();
    }

    /** Whether what comes next is read as requests: a body, a client's end or an error is for the channel. */
    boolean readsRequests() {
        return reads && !ending && !body.isOpen();
    }

    /** Bytes in a buffer that the next event uses again. */
    void arrivedDirectly(ByteBuf shared) {
        try {
            arrived(shared.retain());
            ByteBuf rest = unread;
            if (rest != null) {
                unread = rest.copy();
                rest.release();
            }
            settle();
        } catch (Throwable e) { // as a channel does with whatever its handlers throw
            channel.pipeline().fireExceptionCaught(e);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        settle();
    }

    /** Goes on as far as one can: with the bytes there are, and with what waited for a reply to end. */
    private void proceed() {
        busy = true;
        boolean moves = true;
        while (moves) {
            moves = step();
        }
        busy = false;
    }

    private boolean step() {
        if (ending) {
            return false;
        }
        if (refused != null) {
            return exchanges.isEmpty() && answerRefused(refused);
        }
        if (waiting != null) {
            return mayBegin(waiting) && begin(waiting);
        }
        return unread != null && mayRead() && read(unread);
    }

    private boolean mayRead() {
        return body.isOpen()
                ? body.isAwaited()
                : exchanges.size() < loop.settings().pipelineDepth() && takesMore();
    }

    private boolean takesMore() {
        if (!writable) {
            outbox.flush();
        }
        return writable;
    }

    private boolean read(ByteBuf in) {
        unread = null;
        ByteBuf rest = body.isOpen() ? body.read(in, allocator()) : readHead(in);
        if (rest != null) {
            keep(rest);
        }
        return true;
    }

    private void keep(ByteBuf rest) {
        if (rest.isReadable() && !ending) {
            unread = rest;
        } else {
            rest.release();
        }
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        RequestHead head = reading == null ? loop.heads().request() : reading;
        boolean fresh = head.isFresh();
        return switch (head.feed(in)) {
            case INCOMPLETE -> {
                reading = head;
                if (fresh) {
                    watch.headBegan();
                }
                in.release();
                yield null;
            }
            case REFUSED -> {
                refused = Objects.requireNonNull(head.refusal());
                headRead();
                loop.heads().recycle(head);
                in.release();
                yield null;
            }
            case COMPLETE -> {
                headRead();
                waiting = head;
                yield in;
            }
        };
    }

    private void headRead() {
        watch.headEnded();
        reading = null;
    }

    private static boolean isPlain(RequestHead head) {
        return head.framing() == Framing.NONE && (head.method() == Method.GET || head.method() == Method.HEAD);
    }

    private boolean mayBegin(RequestHead head) {
        return exchanges.isEmpty() || (!alone && isPlain(head));
    }

    private boolean begin(RequestHead head) {
        waiting = null;
        alone = !isPlain(head);
        body.begin(head);
        Exchange exchange = spare == null ? new Exchange(this, loop) : spare;
        spare = null;
        exchange.start(head);
        exchanges.add(exchange);
        loop.handler().handle(exchange);
        if (exchange.isOver()) {
            spare = exchange;
        }
        return true;
    }

    private boolean answerRefused(Refusal why) {
        refused = null;
        unsure = true;
        ending = true;
        PlainReply.refuse(outbox, loop, why);
        return false;
    }

    /** The time for a head is over. */
    void headTooSlow() {
        refused = new Refusal(
                REQUEST_TIMEOUT,
                "request head: expected within " + loop.settings().headTimeout());
        goOn();
    }

    // Bodies of requests.

    void readBody(RequestBody to) {
        if (!body.isOpen()) {
            to.end();
            return;
        }
        if (body.give(to)) {
            outbox.bytes(CONTINUE);
            outbox.flush();
        }
        goOn();
    }

    void wantBody(boolean wanted) {
        body.want(wanted);
        if (wanted) {
            goOn();
        }
    }

    /** The time for a body is over. */
    void bodyTooSlow() {
        fail(new Refusal(
                REQUEST_TIMEOUT,
                "request body: expected more of it within " + loop.settings().idleTimeout()));
        goOn();
    }

    /** The request under way cannot go on because of its client, which hears why unless the reply has begun. */
    void fail(Refusal why) {
        Exchange current = exchanges.peek();
        boolean begun = current != null && current.isBegun();
        abandonAll();
        if (begun) {
            channel.close();
        } else {
            refused = why;
        }
    }

    /** Whether the connection may go on after that reply. */
    boolean mayStay(Exchange exchange) {
        boolean last = exchanges.peekLast() == exchange && waiting == null && unread == null;
        return body.isDiscardable() && !(last && (draining || inputEnded));
    }

    /** Whoever comes from elsewhere comes at another time than that of the last event. */
    void freshenClock() {
        if (!busy) {
            loop.clock().tick();
        }
    }

    // What goes out.

    boolean isTurnOf(Exchange exchange) {
        return exchanges.peek() == exchange;
    }

    boolean isWritable() {
        return writable;
    }

    /** The reply whose turn it is has ended: the next one's turn comes. */
    void replied() {
        if (!advancing) {
            advancing = true;
            Exchange first = exchanges.peek();
            while (first != null && first.isEnded()) {
                first = over(first);
            }
            advancing = false;
            goOn();
        }
    }

    private @Nullable Exchange over(Exchange done) {
        exchanges.remove();
        loop.heads().recycle(done.over());
        if (body.isOpen() && exchanges.isEmpty()) {
            body.discard();
        }
        if (!done.keepsAlive()) {
            end(body.isOpen());
            return null;
        }
        Exchange next = exchanges.peek();
        if (next != null) {
            next.turn();
        }
        return next;
    }

    /** Goes on with what waits, unless that is being done already. */
    private void goOn() {
        if (!busy) {
            loop.clock().tick();
            proceed();
            settle();
        }
    }

    /** Sends what was written. */
    void flush() {
        if (!busy) {
            settle();
        }
    }

    private void settle() {
        if ((draining || inputEnded) && isQuiet()) {
            ending = true;
        }
        if (ending) {
            close();
            return;
        }
        outbox.flush();
        if (reads != (unread == null)) {
            read(!reads);
            if (reading != null) {
                watch.headIsRead(reads);
            }
        }
        rearm();
        if (wasWritable) {
            wasWritable = false;
            channel.eventLoop().execute(this::goOnWriting);
        }
    }

    private void read(boolean on) {
        reads = on;
        channel.config().setAutoRead(on);
    }

    /** While a turn is under way, whoever waits for room is told after it. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        writable = channel.isWritable();
        if (busy) {
            wasWritable = true;
        } else {
            goOnWriting();
        }
    }

    private void goOnWriting() {
        if (writable && !busy && !ending) {
            loop.clock().tick();
            Exchange current = exchanges.peek();
            if (current != null) {
                current.writable();
            }
            proceed();
            settle();
        }
    }

    private void rearm() {
        if (!outbox.isDone()) {
            watch.expectTaking();
        } else if (body.isAwaited()) {
            watch.expectBody(body.bytes());
        } else if (exchanges.isEmpty()) {
            watch.expectRequest();
        } else {
            watch.expectNothing();
        }
    }

    /** The client has taken all, some time ago. */
    void taken() {
        rearm();
    }

    /** No request came in time; a head that has begun has a time of its own. */
    void idledTooLong() {
        if (reading == null) {
            channel.close();
        }
    }

    // The end.

    /** Lets the requests under way finish and then closes; a connection without any is closed now. */
    void drain() {
        draining = true;
        settle();
    }

    /** Whether no request is under way, nor about to be. */
    private boolean isQuiet() {
        return exchanges.isEmpty() && waiting == null && unread == null && refused == null;
    }

    void cut() {
        channel.close();
    }

    /**
     * Ends the connection once what was written is sent.
     *
     * @param inUnsurePlace whether the client may have more to say that will not be understood
     */
    void end(boolean inUnsurePlace) {
        unsure |= inUnsurePlace;
        ending = true;
        abandonAll();
    }

    private void abandonAll() {
        for (Exchange exchange = exchanges.poll(); exchange != null; exchange = exchanges.poll()) {
            exchange.abandon();
        }
        body.abandon();
    }

    private void close() {
        if (closing) {
            return;
        }
        closing = true;
        watch.stop();
        boolean nothingUnread = !unsure && unread == null && waiting == null && reading == null;
        forget();
        if (nothingUnread) {
            outbox.closeWhenSent();
        } else {
            read(true);
            outbox.closeInTwoSteps();
        }
        watch.expectTaking();
    }

    private void forget() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
        if (reading != null) {
            loop.heads().recycle(reading);
            reading = null;
        }
        if (waiting != null) {
            loop.heads().recycle(waiting);
            waiting = null;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            if (body.isOpen()) {
                end(false);
            }
            settle();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        watch.stop();
        ending = true;
        closing = true;
        abandonAll();
        forget();
        outbox.discard();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
