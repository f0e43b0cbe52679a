// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2WindowUpdateFrame;

/**
 * Netty's HTTP/2 codec with what it leaves open closed: {@link StreamOrder} holds clients to the order and states of
 * streams, {@link BoundedHttp2Writer} bounds the answers that a client can make us owe it, and the decoder bounds the
 * resets that it may send. So RFC 9113 is kept to the letter (h2spec is run against it).
 */
final class Http2Codec extends Http2FrameCodecBuilder {
    private static final int MAX_STREAMS = 128;
    private static final int STREAM_WINDOW_BYTES = 256 << 10;

    /**
     * So many streams may be held up with full windows before the others are. It bounds what can lie here of one client,
     * over all its streams: window comes back only for what a stream has taken, and one that is held up takes nothing.
     */
    private static final int CONNECTION_WINDOW_BYTES = 16 * STREAM_WINDOW_BYTES;

    private static final int MAX_RESETS = 200;
    private static final int RESET_WINDOW_SECONDS = 30;

    private final int maxHeadBytes;
    private final Http2FrameWriter writer;

    private Http2Codec(int maxHeadBytes, Http2FrameWriter writer) {
        this.maxHeadBytes = maxHeadBytes;
        this.writer = writer;
    }

    /**
     * A codec for one connection of a client.
     *
     * @param settings the largest head, as RFC 9113 (6.5.2) counts it, and how long streams may take after a goodbye
     * @param writer what all frames go through
     */
    static Http2FrameCodec forClient(ProxySettings settings, Http2FrameWriter writer) {
        int maxHeadBytes = settings.maxHeadBytes();
        return new Http2Codec(maxHeadBytes, writer)
                .gracefulShutdownTimeoutMillis(settings.http2DrainTimeout().toMillis())
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(MAX_STREAMS)
                        .initialWindowSize(STREAM_WINDOW_BYTES)
                        .maxHeaderListSize(maxHeadBytes))
                .decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
                .build();
    }

    /** Opens the window of the connection, which the settings do not reach; to be written behind them. */
    static Http2WindowUpdateFrame connectionWindow(Http2FrameCodec codec) {
        var connection = codec.connection();
        int openBytes = connection.local().flowController().initialWindowSize(connection.connectionStream());
        return new DefaultHttp2WindowUpdateFrame(CONNECTION_WINDOW_BYTES - openBytes);
    }

    @Override
    public Http2FrameCodec build() {
        var connection = new DefaultHttp2Connection(true);
        var order = new StreamOrder(connection, new DefaultHttp2HeadersDecoder(true, maxHeadBytes));
        var encoder = new DefaultHttp2ConnectionEncoder(connection, writer);
        codec(
                new DefaultHttp2ConnectionDecoder(
                        connection,
                        encoder,
                        new DefaultHttp2FrameReader(order),
                        Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                        true,
                        true,
                        true),
                encoder);
        return super.build();
    }
}
