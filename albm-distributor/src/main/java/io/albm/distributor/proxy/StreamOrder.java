// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds a client to the order of streams: a stream begins once, each with a higher number than the ones before, and gets
 * no head after its end (RFC 9113, 5.1 and 5.1.1). It sits where header blocks are decoded, because a block has to be
 * decoded whatever is wrong with its stream: the compression of all later ones depends on it.
 *
 * <p>A stream that we have reset may still get what was on its way (RFC 9113, 5.1, "closed"), so the last
 * {@value #REMEMBERED} of those are remembered. Confined to its event loop.
 */
final class StreamOrder extends Http2ConnectionAdapter implements Http2HeadersDecoder {
    private static final int REMEMBERED = 64;

    private final Http2Connection connection;
    private final Http2HeadersDecoder blocks;
    private final int[] resets = new int[REMEMBERED];
    private int nextReset;

    StreamOrder(Http2Connection connection, Http2HeadersDecoder blocks) {
        this.connection = connection;
        this.blocks = blocks;
        connection.addListener(this);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        if (stream.isResetSent()) {
            resets[nextReset++ % REMEMBERED] = stream.id();
        }
    }

    @Override
    public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
        try {
            Http2Headers headers = blocks.decodeHeaders(streamId, block);
            check(streamId);
            return headers;
        } catch (Http2Exception.StreamException malformed) {
            check(streamId);
            throw malformed;
        }
    }

    private void check(int streamId) throws Http2Exception {
        Http2Exception broken = broken(streamId, connection.stream(streamId));
        if (broken != null) {
            throw broken;
        }
    }

    private @Nullable Http2Exception broken(int streamId, @Nullable Http2Stream stream) {
        if (stream == null) {
            return isReused(streamId) ? reused(streamId) : null;
        }
        boolean ended = stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE && !stream.isResetSent();
        return ended
                ? Http2Exception.streamError(
                        streamId, Http2Error.STREAM_CLOSED, "head after the end of stream %d", streamId)
                : null;
    }

    private boolean isReused(int streamId) {
        return streamId <= connection.remote().lastStreamCreated()
                && Arrays.stream(resets).noneMatch(reset -> reset == streamId);
    }

    private Http2Exception reused(int streamId) {
        int last = connection.remote().lastStreamCreated();
        return Http2Exception.connectionError(
                streamId == last ? Http2Error.STREAM_CLOSED : Http2Error.PROTOCOL_ERROR,
                "head of stream %d after stream %d",
                streamId,
                last);
    }

    @Override
    public Configuration configuration() {
        return blocks.configuration();
    }
}
