// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Chunks;
import io.albm.core.http.Framing;
import io.albm.core.http.Head;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.distributor.http.Http2Request;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says the frames of one HTTP/2 request in HTTP/1.1, no faster than they are wanted: {@link RequestReader}'s twin.
 *
 * <p>Flow control is the codec's: a stream that is not read gives its client no new window. Frames that came before reading
 * stopped are held; they are at most one window.
 *
 * <p>Confined to its event loop.
 */
final class Http2RequestReader {
    /** Where the request goes. */
    interface Sink {
        /** The request; its head is the sink's from now on, its body waits for {@link Http2RequestReader#resume}. */
        void request(RequestHead head);

        /** Whether somebody waits for the body. */
        boolean takesBody();

        /** So much of the body came, and was thrown away. */
        void unwanted(int bytes);

        /** Nothing more comes. */
        void requestEnd();

        /** What came breaks a rule of HTTP. */
        void refuse(Refusal why);

        /** What came breaks a rule of HTTP/2, for which there are no words. */
        void malformed();
    }

    private final Worker worker;
    private final Channel channel;
    private final Traffic traffic;
    private final Sink sink;
    private final RequestBody body;
    private @Nullable ArrayDeque<Object> held;
    private @Nullable Chunks chunks;
    private boolean begun;
    private boolean paused;
    private boolean complete;

    /**
     * A reader that has read nothing.
     *
     * @param traffic of the frontend
     * @param body where the body goes
     */
    Http2RequestReader(Worker worker, Channel channel, Traffic traffic, Sink sink, RequestBody body) {
        this.worker = worker;
        this.channel = channel;
        this.traffic = traffic;
        this.sink = sink;
        this.body = body;
    }

    /** Takes over what came from the client. */
    void read(Object frame) {
        if (paused || holdsFrames()) {
            hold(frame);
        } else {
            take(frame);
        }
    }

    private boolean holdsFrames() {
        return held != null && !held.isEmpty();
    }

    private void hold(Object frame) {
        if (held == null) {
            held = new ArrayDeque<>();
        }
        held.add(frame);
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
        complete = frame.isEndStream();
        HeadWriter writer = worker.headWriter();
        if (!Http2Request.write(frame.headers(), !complete, writer)) {
            sink.malformed();
            return;
        }
        RequestHead head = worker.heads().request();
        if (feed(head, writer) == Head.Progress.COMPLETE) {
            begin(head);
        } else {
            Refusal refusal = Objects.requireNonNull(head.refusal(), "a whole head is complete or refused");
            worker.heads().recycle(head);
            sink.refuse(refusal);
        }
    }

    private Head.Progress feed(RequestHead head, HeadWriter written) {
        ByteBuf bytes = written.toBuffer(channel.alloc(), 0);
        traffic.add(Count.BYTES_IN, bytes.readableBytes());
        Head.Progress progress = head.feed(bytes);
        bytes.release();
        return progress;
    }

    private void begin(RequestHead head) {
        boolean hasBody = head.framing() != Framing.NONE;
        if (hasBody && complete) {
            worker.heads().recycle(head);
            sink.malformed();
            return;
        }
        chunks = head.framing() == Framing.CHUNKED ? new Chunks() : null;
        paused = hasBody;
        sink.request(head);
        if (paused) {
            channel.config().setAutoRead(false);
        }
    }

    private void data(Http2DataFrame frame) {
        ByteBuf bytes = frame.content();
        int size = bytes.readableBytes();
        traffic.add(Count.BYTES_IN, size);
        if (!sink.takesBody()) {
            sink.unwanted(size);
            frame.release();
        } else if (size == 0) {
            frame.release();
        } else {
            body.came(size);
            body.pass(chunks == null ? bytes : chunk(chunks, bytes));
        }
        if (frame.isEndStream()) {
            end(null);
        }
    }

    /** In one piece, so that nothing can come between a chunk's size and its data. */
    private ByteBuf chunk(Chunks framing, ByteBuf data) {
        return Unpooled.wrappedBuffer(framing.line(data.readableBytes(), channel.alloc()), data);
    }

    private void trailers(Http2HeadersFrame frame) {
        HeadWriter writer = worker.headWriter();
        if (frame.isEndStream() && Http2Request.writeTrailers(frame.headers(), writer)) {
            end(writer);
        } else {
            sink.malformed();
        }
    }

    private void end(@Nullable HeadWriter trailers) {
        complete = true;
        if (chunks != null && sink.takesBody()) {
            body.pass(trailers == null ? chunks.last() : chunks.last(trailers, channel.alloc()));
        }
        sink.requestEnd();
    }

    /** Whether the client has sent all of its request. */
    boolean isComplete() {
        return complete;
    }

    /** Whether it is the client's turn to send. */
    boolean awaitsBody() {
        return !complete && !paused;
    }

    /** Hands over no more until {@link #resume}. */
    void pause() {
        paused = true;
        channel.config().setAutoRead(false);
    }

    /** Goes on, with what is held first. */
    void resume() {
        paused = false;
        while (!paused && held != null && !held.isEmpty()) {
            take(held.remove());
        }
        if (!paused) {
            channel.config().setAutoRead(true);
        }
    }

    /** Forgets what is held: the stream is closed. */
    void close() {
        if (held != null) {
            held.forEach(ReferenceCountUtil::release);
            held.clear();
        }
    }
}
