// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;

/**
 * One client's connection: hands each request to the handler as soon as its head is whole. What comes in, what goes out and
 * its end are matters of {@link IncomingRequests}, {@link Replies} and {@link Ending}, which do not know each other; here is
 * what one means for the others. Each event is a turn: {@link #proceed} goes as far as one can with what there is, then
 * {@link #settle} sends what was written and says what is expected of the client next.
 *
 * <p><b>What a hit costs.</b> One read call brings the bytes; the head is read in place, the handler answers within the
 * call, the reply is copied or linked into the outbox, and one write call sends all replies of this event. No object is
 * made for a header, no timer is set, nothing is queued.
 *
 * <p><b>What is held is bounded.</b> While as many requests are under way as may be, or the client does not take what is
 * written, or a body is not wanted, the bytes of one read are kept and nothing more is read.
 *
 * <p><b>Its end.</b> A connection whose next request would start at an unsure place (malformed, too slow, body not read) is
 * closed in two steps, see {@link Ending#close}. A client may end its side early and still gets what it asked for.
 *
 * <p>Confined to its event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final int REQUEST_TIMEOUT = 408;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final LoopContext loop;
    private final Channel channel;
    private final Outbox outbox;
    private final Replies replies;
    private final Ending ending;
    private final ClientWatch watch;
    private final IncomingBody body;
    private final IncomingRequests requests;
    private boolean busy;
    private boolean wasWritable;

    Connection(LoopContext loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
        outbox = new Outbox(loop, channel);
        replies = new Replies(loop, channel, outbox);
        ending = new Ending(channel, outbox);
        watch = new ClientWatch(loop, this, outbox.progress());
        body = new IncomingBody(this);
        requests = new IncomingRequests(loop, channel, body, watch);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.clock().tick();
        expect();
        SocketReader.install(channel, this, loop.buffers());
    }

    ByteBufAllocator allocator() {
        return channel.alloc();
    }

    // Events.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        arrived((ByteBuf) message);
    }

    private void arrived(ByteBuf in) {
        loop.clock().tick();
        if (ending.hasBegun()) {
            in.release();
            return;
        }
        requests.add(in);
        proceed();
    }

    /** Whether what comes next is read as requests: a body, a client's end or an error is for the channel. */
    boolean readsRequests() {
        return requests.reads() && !ending.hasBegun() && !body.isOpen();
    }

    /** Bytes in a buffer that the next event uses again. */
    void arrivedDirectly(ByteBuf shared) {
        try {
            arrived(shared.retain());
            requests.leaveSharedBuffer();
            settle();
        } catch (Throwable e) { // as a channel does with whatever its handlers throw
            channel.pipeline().fireExceptionCaught(e);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        settle();
    }

    /** While a turn is under way, whoever waits for room is told after it, by the same event once more. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        replies.writabilityChanged();
        if (busy) {
            wasWritable = true;
        } else {
            goOnWriting();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ending.approach();
            if (body.isOpen()) {
                end(false);
            }
            settle();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        watch.stop();
        ending.closed();
        abandonAll();
        requests.close();
        outbox.discard();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    // A turn.

    /** Goes on as far as one can: with the bytes there are, and with what waited for a reply to end. */
    private void proceed() {
        busy = true;
        try {
            boolean moves = true;
            while (moves) {
                moves = step();
            }
        } finally {
            busy = false;
        }
    }

    private boolean step() {
        if (ending.hasBegun()) {
            return false;
        }
        Refusal refused = requests.refused();
        if (refused != null) {
            return replies.isEmpty() && answerRefused(refused);
        }
        RequestHead waiting = requests.waiting();
        if (waiting != null) {
            return replies.mayBegin(waiting) && begin(waiting);
        }
        return requests.hasUnread() && mayRead() && read();
    }

    private boolean answerRefused(Refusal why) {
        requests.toldRefusal();
        ending.begin(true);
        PlainReply.refuse(outbox, loop, why);
        return false;
    }

    private boolean begin(RequestHead head) {
        requests.handOver();
        body.begin(head);
        Exchange exchange = replies.begin(head, this);
        loop.handler().handle(exchange);
        replies.handled(exchange);
        return true;
    }

    private boolean mayRead() {
        return body.isOpen() ? body.isAwaited() : replies.takesMore();
    }

    private boolean read() {
        requests.advance();
        return true;
    }

    private void settle() {
        if (ending.isNear() && isQuiet()) {
            ending.begin(false);
        }
        if (ending.hasBegun()) {
            close();
            return;
        }
        outbox.flush();
        requests.readWhatIsWanted();
        expect();
        if (wasWritable) {
            wasWritable = false;
            channel.eventLoop().execute(channel.pipeline()::fireChannelWritabilityChanged);
        }
    }

    /** Whether no request is under way, nor about to be. */
    private boolean isQuiet() {
        return replies.isEmpty() && requests.isQuiet();
    }

    /** Goes on with what waits, unless that is being done already. */
    private void goOn() {
        if (!busy) {
            loop.clock().tick();
            proceed();
            settle();
        }
    }

    private void goOnWriting() {
        if (replies.isWritable() && !busy && !ending.hasBegun()) {
            loop.clock().tick();
            replies.resume();
            proceed();
            settle();
        }
    }

    /** Whoever comes from elsewhere comes at another time than that of the last event. */
    void freshenClock() {
        if (!busy) {
            loop.clock().tick();
        }
    }

    // What a reply means.

    /** Sends what was written. */
    void flush() {
        if (!busy) {
            settle();
        }
    }

    /** Whether the connection may go on after that reply. */
    boolean mayStay(Exchange exchange) {
        boolean last = replies.isLast(exchange) && requests.waiting() == null && !requests.hasUnread();
        return body.isDiscardable() && !(last && ending.isNear());
    }

    /** The reply whose turn it is has ended: the next one's turn comes. */
    void replied() {
        if (replies.isPassingTurn()) {
            return;
        }
        boolean stays = replies.passTurn();
        if (body.isOpen() && replies.isEmpty()) {
            body.discard();
        }
        if (!stays) {
            end(body.isOpen());
        }
        goOn();
    }

    // What a body means.

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

    /** The request under way cannot go on because of its client, which hears why unless the reply has begun. */
    void fail(Refusal why) {
        Exchange current = replies.first();
        boolean begun = current != null && current.isBegun();
        abandonAll();
        if (begun) {
            channel.close();
        } else {
            requests.refuse(why);
        }
    }

    // What time means.

    private void expect() {
        if (!outbox.isDone()) {
            watch.expectTaking();
        } else if (body.isAwaited()) {
            watch.expectBody(body.bytes());
        } else if (replies.isEmpty()) {
            watch.expectRequest();
        } else {
            watch.expectNothing();
        }
    }

    /** The time for a head is over. */
    void headTooSlow() {
        requests.refuse(new Refusal(
                REQUEST_TIMEOUT,
                "request head: expected within " + loop.settings().headTimeout()));
        goOn();
    }

    /** The time for a body is over. */
    void bodyTooSlow() {
        fail(new Refusal(
                REQUEST_TIMEOUT,
                "request body: expected more of it within " + loop.settings().idleTimeout()));
        goOn();
    }

    /** No request came in time; a head that has begun has a time of its own. */
    void idledTooLong() {
        if (!requests.isAmidHead()) {
            channel.close();
        }
    }

    /** The client has taken all, some time ago. */
    void taken() {
        expect();
    }

    // The end.

    /** Lets the requests under way finish and then closes; a connection without any is closed now. */
    void drain() {
        ending.approach();
        settle();
    }

    void cut() {
        channel.close();
    }

    /** Ends the connection amid a reply; what was written of it is sent. */
    void breakOff() {
        end(body.isOpen());
        flush();
    }

    /**
     * Ends the connection once what was written is sent.
     *
     * @param inUnsurePlace whether the client may have more to say that will not be understood
     */
    void end(boolean inUnsurePlace) {
        ending.begin(inUnsurePlace);
        abandonAll();
    }

    private void abandonAll() {
        replies.abandon();
        body.abandon();
    }

    private void close() {
        if (!ending.isClosing()) {
            watch.stop();
            boolean midway = requests.isMidway();
            requests.close();
            requests.readToTheEnd();
            ending.close(midway);
            watch.expectTaking();
        }
    }
}
