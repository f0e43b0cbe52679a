// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Method;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.albm.core.net.Watchdog;
import io.albm.core.net.WatchdogQueue;
import io.albm.distributor.http.Client;
import io.albm.distributor.stats.Traffic;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;

/**
 * One request of an HTTP/2 client. {@link Http2RequestReader} says it in HTTP/1.1, so that it goes the way of every other
 * request; {@link Http2Output} says its response in frames. Flow control is the codec's: a stream whose client gives no
 * window is not writable. Confined to its connection's event loop.
 *
 * <p>A client may still be sending when its answer is complete. It is listened to for a moment: most requests end by
 * themselves, what is wrong with the rest is told, and only then the stream is reset to say that nobody listens (RFC 9113,
 * 8.1).
 */
final class Http2Stream extends ChannelInboundHandlerAdapter implements ClientStream, Http2RequestReader.Sink {
    private static final int MAX_UNWANTED_BYTES = 64 << 10;

    private final Worker worker;
    private final Http2Connection connection;
    private final Channel channel;
    private final Http2RequestReader reader;
    private final Http2Output output;
    private final Watchdog idleWatch;
    private final Watchdog lingerWatch;
    private final CurrentRequest request;
    private final RequestBody body;
    private boolean answersHead;
    private int unwantedBytes;

    Http2Stream(Worker worker, Http2Connection connection, Channel channel) {
        this.worker = worker;
        this.connection = connection;
        this.channel = channel;
        this.output = new Http2Output(channel, connection.frontend().traffic());
        this.idleWatch = new Watchdog(this::tookNothing);
        this.lingerWatch = new Watchdog(worker.lingerTimeouts(), this::letGo);
        this.request = new CurrentRequest(worker, this, connection.frontend());
        this.body = request.body();
        this.reader =
                new Http2RequestReader(worker, channel, connection.frontend().traffic(), this, body);
    }

    // From the client.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.opened(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        worker.clock().tick();
        reader.read(frame);
    }

    @Override
    public void request(RequestHead head) {
        answersHead = head.method() == Method.HEAD;
        request.begin(head);
        readPaused();
    }

    @Override
    public boolean takesBody() {
        return request.isUnderWay();
    }

    @Override
    public void unwanted(int bytes) {
        unwantedBytes += bytes;
        if (unwantedBytes > MAX_UNWANTED_BYTES) {
            letGo();
        }
    }

    @Override
    public void requestEnd() {
        lingerWatch.disarm();
        body.end();
    }

    @Override
    public void refuse(Refusal refusal) {
        request.refused();
        answer(refusal);
    }

    @Override
    public void malformed() {
        abort();
        reset(Http2Error.PROTOCOL_ERROR);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readPaused();
    }

    private void readPaused() {
        body.flush();
        if (request.isUnderWay() && reader.awaitsBody()) {
            body.expect();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        worker.clock().tick();
        if (request.isUnderWay() && channel.isWritable()) {
            idleWatch.disarm();
            request.clientWritable();
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

    /** Closes the stream, with all that came and was not read. */
    void close() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        worker.clock().tick();
        abort();
        reader.close();
        connection.streamProgress().forget(id());
        connection.closed(this);
    }

    /** What the client broke the protocol with, the codec tells it itself after this, but not when it has sent all it had. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.clock().tick();
        abort();
        if (!(cause instanceof Http2Exception broken)) {
            reset(Http2Error.INTERNAL_ERROR);
        } else if (reader.isComplete()) {
            reset(broken.error());
        }
    }

    private void abort() {
        idleWatch.disarm();
        lingerWatch.disarm();
        request.abort();
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
        body.expectNothing();
        reader.pause();
    }

    @Override
    public void resumeReading() {
        reader.resume();
        readPaused();
    }

    @Override
    public void interim(ResponseHead head) {
        output.interim(head);
    }

    @Override
    public void respond(ResponseHead head) {
        request.responding(head.status());
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
        idleWatch.disarm();
        request.finished();
        await(output.end());
    }

    /** The client has the idle timeout to take the end of its answer; until then nothing more is read of its request. */
    private void await(ChannelFuture lastFrame) {
        if (!reader.isComplete()) {
            pauseReading();
        }
        connection.streamProgress().watch(id());
        idleWatch.arm(worker.farewellTimeouts());
        lastFrame.addListener(sent -> answerSent());
    }

    private void answerSent() {
        idleWatch.disarm();
        if (!reader.isComplete() && channel.isActive()) {
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
        idleWatch.disarm();
        request.cut();
        reset(Http2Error.INTERNAL_ERROR);
    }

    private void reset(Http2Error why) {
        channel.writeAndFlush(new DefaultHttp2ResetFrame(why));
        channel.close();
    }

    @Override
    public void answer(Refusal refusal) {
        idleWatch.disarm();
        if (!channel.isActive()) {
            request.over();
            return;
        }
        request.answered(refusal.status());
        await(output.answer(refusal, answersHead));
    }

    @Override
    public Traffic traffic() {
        return connection.frontend().traffic();
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
}
