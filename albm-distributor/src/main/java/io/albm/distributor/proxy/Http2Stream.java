// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.Chunks;
import io.albm.distributor.http.Client;
import io.albm.distributor.http.Framing;
import io.albm.distributor.http.Head;
import io.albm.distributor.http.HeadWriter;
import io.albm.distributor.http.Http2Request;
import io.albm.distributor.http.Method;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.http.Trailers;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 client. It is said in HTTP/1.1 and goes the way of every other request; its response comes
 * back in frames. Confined to its connection's event loop.
 *
 * <p>Flow control is the codec's: a stream that is not read gives its client no new window, and one whose client gives
 * no window is not writable. Frames that came before reading stopped are held; they are at most one window.
 *
 * <p>A client may still be sending when its answer is complete. It is listened to for a moment: most requests end by
 * themselves, what is wrong with the rest is told, and only then the stream is reset to say that nobody listens (RFC 9113,
 * 8.1).
 */
final class Http2Stream extends ChannelInboundHandlerAdapter implements ClientStream {
    private static final int REQUEST_TIMEOUT = 408;
    private static final int MAX_UNWANTED_BYTES = 64 << 10;

    private final Worker worker;
    private final Http2Connection connection;
    private final Channel channel;
    private final Http2Output output;
    private final Watchdog idleWatch;
    private final BodyWatch bodyWatch;
    private final Watchdog lingerWatch;
    private final Chunks chunks = new Chunks();
    private final ArrayDeque<Object> held = new ArrayDeque<>();
    private @Nullable Exchange exchange;
    private boolean begun;
    private boolean answersHead;
    private boolean hasBody;
    private boolean chunked;
    private boolean paused;
    private boolean requestComplete;
    private boolean responseBegan;
    private int status;
    private int unwantedBytes;
    private long beganNanos;

    Http2Stream(Worker worker, Http2Connection connection, Channel channel) {
        this.worker = worker;
        this.connection = connection;
        this.channel = channel;
        this.output = new Http2Output(channel, connection.frontend().traffic());
        this.idleWatch = new Watchdog(this::tookNothing);
        this.bodyWatch = new BodyWatch(worker, this::bodyTooSlow);
        this.lingerWatch = new Watchdog(worker.lingerTimeouts(), this::letGo);
    }

    // From the client.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.opened();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        worker.clock().tick();
        if (paused || !held.isEmpty()) {
            held.add(frame);
        } else {
            take(frame);
        }
    }

    private void take(Object frame) {
        switch (frame) {
            case Http2HeadersFrame headers when !begun -> begin(headers);
            case Http2HeadersFrame trailers -> trailers(trailers);
            case Http2DataFrame data -> data(data);
            default -> ReferenceCountUtil.release(frame);
        }
    }

    private void begin(Http2HeadersFrame frame) {
        begun = true;
        beganNanos = worker.clock().now();
        requestComplete = frame.isEndStream();
        HeadWriter writer = worker.headWriter();
        if (!Http2Request.write(frame.headers(), !requestComplete, writer)) {
            reset(Http2Error.PROTOCOL_ERROR);
            return;
        }
        RequestHead head = worker.heads().request();
        ByteBuf bytes = writer.toBuffer(channel.alloc(), 0);
        traffic().add(Count.BYTES_IN, bytes.readableBytes());
        Head.Progress progress = head.feed(bytes);
        bytes.release();
        if (progress == Head.Progress.COMPLETE) {
            begin(head);
        } else {
            Refusal refusal = Objects.requireNonNull(head.refusal(), "a whole head is complete or refused");
            worker.heads().recycle(head);
            refuse(refusal);
        }
    }

    private void begin(RequestHead head) {
        answersHead = head.method() == Method.HEAD;
        chunked = head.framing() == Framing.CHUNKED;
        hasBody = head.framing() != Framing.NONE;
        if (hasBody && requestComplete) {
            worker.heads().recycle(head);
            reset(Http2Error.PROTOCOL_ERROR);
            return;
        }
        paused = hasBody;
        Destination to = connection.frontend().destination(head);
        bodyWatch.begin(to.pool());
        worker.stats().requestBegan();
        traffic().note(Count.REQUESTS);
        Exchange sent = new Exchange(this, worker, to, head);
        exchange = sent;
        sent.start();
        sent.requestPaused();
        if (paused) {
            channel.config().setAutoRead(false);
        }
    }

    private void refuse(Refusal refusal) {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        traffic().note(Count.REFUSED);
        answer(refusal);
    }

    private void data(Http2DataFrame frame) {
        ByteBuf bytes = frame.content();
        traffic().add(Count.BYTES_IN, bytes.readableBytes());
        Exchange current = exchange;
        if (current == null) {
            unwanted(bytes.readableBytes());
            frame.release();
        } else if (!bytes.isReadable()) {
            frame.release();
        } else {
            bodyWatch.came(bytes.readableBytes());
            current.requestBody(chunked ? chunk(bytes) : bytes);
        }
        if (frame.isEndStream()) {
            end(null);
        }
    }

    /** In one piece, so that nothing can come between a chunk's size and its data. */
    private ByteBuf chunk(ByteBuf data) {
        return Unpooled.wrappedBuffer(chunks.line(data.readableBytes(), channel.alloc()), data);
    }

    private void unwanted(int bytes) {
        unwantedBytes += bytes;
        if (unwantedBytes > MAX_UNWANTED_BYTES) {
            letGo();
        }
    }

    private void trailers(Http2HeadersFrame frame) {
        HeadWriter writer = worker.headWriter();
        if (!frame.isEndStream() || !Http2Request.writeTrailers(frame.headers(), writer)) {
            abort();
            reset(Http2Error.PROTOCOL_ERROR);
            return;
        }
        end(writer);
    }

    private void end(@Nullable HeadWriter trailers) {
        requestComplete = true;
        lingerWatch.disarm();
        Exchange current = exchange;
        if (current == null) {
            return;
        }
        bodyWatch.stop();
        if (chunked) {
            current.requestBody(trailers == null ? chunks.last() : chunks.last(trailers, channel.alloc()));
        }
        if (hasBody) {
            current.requestEnd();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        pausedByReader();
    }

    private void pausedByReader() {
        Exchange current = exchange;
        if (current != null) {
            current.requestPaused();
            if (!requestComplete && !paused) {
                bodyWatch.expect();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        worker.clock().tick();
        Exchange current = exchange;
        if (current != null && channel.isWritable()) {
            idleWatch.disarm();
            current.clientWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame) {
            worker.clock().tick();
            abort();
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        worker.clock().tick();
        abort();
        held.forEach(ReferenceCountUtil::release);
        held.clear();
        connection.streamProgress().forget(id());
        connection.closed();
    }

    /** What the client broke the protocol with, the codec tells it itself after this, but not when it has sent all it had. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.clock().tick();
        abort();
        if (!(cause instanceof Http2Exception broken)) {
            reset(Http2Error.INTERNAL_ERROR);
        } else if (requestComplete) {
            reset(broken.error());
        }
    }

    private void abort() {
        idleWatch.disarm();
        bodyWatch.stop();
        lingerWatch.disarm();
        Exchange current = exchange;
        if (current != null) {
            current.abort();
            over();
        }
        output.discard();
    }

    // To the client.

    @Override
    public Client client() {
        return connection.client();
    }

    @Override
    public boolean takesChunks() {
        return false;
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void awaitWritable(WatchdogQueue stalled) {
        connection.streamProgress().watch(id());
        idleWatch.arm(stalled);
    }

    @Override
    public void pauseReading() {
        paused = true;
        bodyWatch.stop();
        channel.config().setAutoRead(false);
    }

    @Override
    public void resumeReading() {
        paused = false;
        while (!paused && !held.isEmpty()) {
            take(held.remove());
        }
        if (!paused) {
            channel.config().setAutoRead(true);
        }
        pausedByReader();
    }

    @Override
    public void interim(ResponseHead head) {
        output.interim(head);
    }

    @Override
    public void respond(ResponseHead head) {
        bodyWatch.answered();
        responseBegan = true;
        status = head.status();
        output.head(head);
    }

    @Override
    public void body(ByteBuf bytes) {
        output.body(bytes);
    }

    @Override
    public void trailers(Trailers trailers) {
        output.trailers(trailers);
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public void finish() {
        over();
        responded(status);
        await(output.end());
    }

    /** The client has the idle timeout to take the end of its answer; until then nothing more is read of its request. */
    private void await(ChannelFuture lastFrame) {
        if (!requestComplete) {
            pauseReading();
        }
        connection.streamProgress().watch(id());
        idleWatch.arm(worker.farewellTimeouts());
        lastFrame.addListener(sent -> answerSent());
    }

    private void answerSent() {
        idleWatch.disarm();
        if (!requestComplete && channel.isActive()) {
            lingerWatch.arm();
            resumeReading();
        }
    }

    private void letGo() {
        lingerWatch.disarm();
        reset(Http2Error.NO_ERROR);
    }

    @Override
    public void cut() {
        over();
        worker.stats().note(ProxyStats.Event.CUT);
        reset(Http2Error.INTERNAL_ERROR);
    }

    private void reset(Http2Error why) {
        channel.writeAndFlush(new DefaultHttp2ResetFrame(why));
        channel.close();
    }

    @Override
    public void answer(Refusal refusal) {
        over();
        if (!channel.isActive()) {
            return;
        }
        responseBegan = true;
        responded(refusal.status());
        await(output.answer(refusal, answersHead));
    }

    @Override
    public Traffic traffic() {
        return connection.frontend().traffic();
    }

    private void responded(int withStatus) {
        worker.stats().responded(withStatus, worker.clock().now() - beganNanos);
        traffic().responded(withStatus);
    }

    private void over() {
        idleWatch.disarm();
        bodyWatch.stop();
        if (exchange != null) {
            exchange = null;
            worker.stats().requestEnded();
        }
    }

    private void tookNothing() {
        if (connection.streamProgress().isMoving(id())) {
            idleWatch.arm();
        } else {
            abort();
            cut();
        }
    }

    private int id() {
        return ((Http2StreamChannel) channel).stream().id();
    }

    private void bodyTooSlow() {
        boolean begunResponse = responseBegan;
        abort();
        if (begunResponse) {
            cut();
        } else {
            refuse(new Refusal(
                    REQUEST_TIMEOUT,
                    "request body: expected more of it within "
                            + worker.settings().idleTimeout()));
        }
    }
}
