// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Refusal;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.albm.distributor.http.Http2Response;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * A response in the frames of one HTTP/2 stream. Its last piece is held until it is known to be the last, so that the end
 * costs no frame of its own. Confined to its event loop.
 */
final class Http2Output {
    private final Channel channel;
    private final Traffic traffic;
    private @Nullable Http2Headers waitingHead;
    private @Nullable ByteBuf waitingBody;
    private @Nullable Http2Headers waitingTrailers;

    /** @param traffic of the frontend; bodies are counted, heads are not */
    Http2Output(Channel channel, Traffic traffic) {
        this.channel = channel;
        this.traffic = traffic;
    }

    void interim(ResponseHead head) {
        channel.writeAndFlush(new DefaultHttp2HeadersFrame(Http2Response.of(head), false));
    }

    void head(ResponseHead head) {
        waitingHead = Http2Response.of(head);
    }

    /** Takes over the buffer. */
    void body(ByteBuf bytes) {
        if (bytes.isReadable()) {
            traffic.add(Count.BYTES_OUT, bytes.readableBytes());
            writeWaiting();
            waitingBody = bytes;
        } else {
            bytes.release();
        }
    }

    void trailers(Trailers trailers) {
        Http2Headers permitted = Http2Response.of(trailers);
        waitingTrailers = permitted.isEmpty() ? null : permitted;
    }

    void flush() {
        writeWaiting();
        channel.flush();
    }

    private void writeWaiting() {
        Http2Headers head = waitingHead;
        if (head != null) {
            waitingHead = null;
            channel.write(new DefaultHttp2HeadersFrame(head, false));
        }
        ByteBuf bytes = waitingBody;
        if (bytes != null) {
            waitingBody = null;
            channel.write(new DefaultHttp2DataFrame(bytes, false));
        }
    }

    /** Ends the response; done when the client has let us send all of it. */
    ChannelFuture end() {
        ChannelFuture sent = writeLast();
        channel.flush();
        return sent;
    }

    private ChannelFuture writeLast() {
        if (waitingTrailers != null) {
            writeWaiting();
            return channel.write(new DefaultHttp2HeadersFrame(waitingTrailers, true));
        }
        Http2Headers head = waitingHead;
        if (head != null && waitingBody == null) {
            waitingHead = null;
            return channel.write(new DefaultHttp2HeadersFrame(head, true));
        }
        ByteBuf bytes = waitingBody == null ? Unpooled.EMPTY_BUFFER : waitingBody;
        waitingBody = null;
        writeWaiting();
        return channel.write(new DefaultHttp2DataFrame(bytes, true));
    }

    /** Answers in place of a backend; done when it is sent. */
    ChannelFuture answer(Refusal refusal, boolean toHead) {
        ChannelFuture sent = channel.write(new DefaultHttp2HeadersFrame(Http2Response.of(refusal), toHead));
        if (!toHead) {
            ByteBuf reason = Unpooled.wrappedBuffer(Http2Response.body(refusal));
            sent = channel.write(new DefaultHttp2DataFrame(reason, true));
        }
        channel.flush();
        return sent;
    }

    /** Forgets what was not sent. */
    void discard() {
        if (waitingBody != null) {
            waitingBody.release();
            waitingBody = null;
        }
    }
}
