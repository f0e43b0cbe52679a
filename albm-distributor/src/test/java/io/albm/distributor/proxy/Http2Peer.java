// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/2 that says whatever a test wants it to, well-formed or not, frame by frame. */
final class Http2Peer implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int STREAM_CLOSED = 5;
    static final int ENHANCE_YOUR_CALM = 11;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int GOAWAY_CODE_AT = 4;
    private static final int LARGEST_FRAME = 16 << 10;

    private final Socket socket;
    private final int pieceBytes;
    private final DataInputStream in;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(written);
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);

    /** A frame that came. */
    record Frame(int type, int flags, int stream, ByteBuf payload) {
        boolean endsStream() {
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        boolean is(int expected, int onStream) {
            return type == expected && stream == onStream;
        }

        /** The code of a reset or a goodbye. */
        int errorCode() {
            return payload.getInt(type == GOAWAY ? GOAWAY_CODE_AT : 0);
        }

        String text() {
            return payload.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private Http2Peer(Socket socket, int pieceBytes) throws IOException {
        this.socket = socket;
        this.pieceBytes = pieceBytes;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Introduces itself on a new connection, which is its from now on. */
    static Http2Peer on(Socket socket) throws IOException {
        return on(socket, Integer.MAX_VALUE);
    }

    /** The same, sending pieces of that size. */
    static Http2Peer on(Socket socket, int pieceBytes) throws IOException {
        var peer = new Http2Peer(socket, pieceBytes);
        peer.out.write(PREFACE);
        return peer.send(SETTINGS, 0, 0);
    }

    /** A request's head without faults. */
    static Http2Headers get(String path) {
        return head("GET", path);
    }

    /** A request's head without faults. */
    static Http2Headers head(String method, String path) {
        return new DefaultHttp2Headers(false)
                .method(method)
                .scheme("http")
                .authority("h")
                .path(path);
    }

    Http2Peer send(int type, int flags, int stream, byte... payload) throws IOException {
        return write(type, flags, stream, payload).flush();
    }

    Http2Peer flush() throws IOException {
        byte[] all = written.toByteArray();
        written.reset();
        for (int at = 0; at < all.length; at += Math.min(pieceBytes, all.length - at)) {
            socket.getOutputStream().write(all, at, Math.min(pieceBytes, all.length - at));
        }
        return this;
    }

    /** As {@link #send}, but it may wait for the next frame that is sent. */
    Http2Peer write(int type, int flags, int stream, byte... payload) throws IOException {
        out.writeByte(payload.length >>> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        return this;
    }

    Http2Peer sendHead(int stream, boolean last, Http2Headers head) throws IOException, Http2Exception {
        return send(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, block(stream, head));
    }

    /** A head that is compressed already, in as many frames as it takes. */
    Http2Peer sendBlock(int stream, boolean last, byte[] block) throws IOException {
        int end = Math.min(block.length, LARGEST_FRAME);
        int flags = (last ? END_STREAM : 0) | (end == block.length ? END_HEADERS : 0);
        write(HEADERS, flags, stream, Arrays.copyOf(block, end));
        while (end < block.length) {
            int start = end;
            end = Math.min(block.length, start + LARGEST_FRAME);
            write(CONTINUATION, end == block.length ? END_HEADERS : 0, stream, Arrays.copyOfRange(block, start, end));
        }
        return flush();
    }

    /** A head, compressed. */
    byte[] block(int stream, Http2Headers head) throws Http2Exception {
        ByteBuf block = Unpooled.buffer();
        encoder.encodeHeaders(stream, head, block);
        return ByteBufUtil.getBytes(block);
    }

    Http2Peer sendData(int stream, boolean last, String text) throws IOException {
        return send(DATA, last ? END_STREAM : 0, stream, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The next frame; null when the proxy has closed. */
    @Nullable
    Frame next() throws IOException {
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            return new Frame(type, flags, stream, Unpooled.wrappedBuffer(in.readNBytes(length)));
        } catch (EOFException | SocketException closed) {
            return null;
        }
    }

    /**
     * The next frame that fits.
     *
     * @throws EOFException if the proxy closes before
     */
    Frame await(Predicate<Frame> fits) throws IOException {
        for (Frame frame = next(); frame != null; frame = next()) {
            if (fits.test(frame)) {
                return frame;
            }
        }
        throw new EOFException("closed without the frame that was expected");
    }

    /** The next frame of that type on that stream. */
    Frame await(int type, int stream) throws IOException {
        return await(frame -> frame.is(type, stream));
    }

    /** The lines of a frame of headers. Frames that use names of earlier ones need all of them to be read in their order. */
    List<String> read(Frame head) throws Http2Exception {
        List<String> lines = new ArrayList<>();
        decoder.decodeHeaders(head.stream(), head.payload())
                .forEach(line -> lines.add(line.getKey() + ": " + line.getValue()));
        return lines;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The lines of a GET, and more, as names and values in turn. */
    static String[] getLines(String... more) {
        return Stream.concat(
                        Stream.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** A header block of names and values in turn, literally as they are: RFC 7541, 6.2.2. */
    static byte[] block(String... lines) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < lines.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            block.write(lines[i].length());
            block.writeBytes(lines[i].getBytes(StandardCharsets.ISO_8859_1));
        }
        return block.toByteArray();
    }
}
