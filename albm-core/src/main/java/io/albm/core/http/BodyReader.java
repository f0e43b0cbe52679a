// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of a body in the stream, and passes its bytes on without copying them.
 *
 * <p>A chunked body is checked byte by byte of its framing and passed on as it came, so that a reader which speaks
 * HTTP/1.1 gets the very chunks. {@link #begin} with {@code decoded} passes on the data alone.
 *
 * <p>Used again for each body. Not thread-safe.
 */
public final class BodyReader {
    /** Where a body goes. */
    public interface Sink {
        /** Some bytes of the body; the sink owns the buffer from now on. */
        void bodyBytes(ByteBuf bytes);

        /**
         * What stands behind a chunked body; only of one that is passed on without its framing.
         *
         * @param trailers belong to the reader again after this call
         */
        default void bodyTrailers(Trailers trailers) {}

        /**
         * The body is whole.
         *
         * @param nothingFollows false if bytes came after its end
         */
        void bodyEnd(boolean nothingFollows);

        /** The body is not what its head promised; nothing more comes of it. */
        void bodyMalformed(String reason);
    }

    private final ChunkScanner chunks = new ChunkScanner();
    private Framing framing = Framing.NONE;
    private boolean decoded;
    private boolean open;
    private long left;
    private @Nullable Trailers trailers;

    /**
     * Gets ready for a body.
     *
     * @param length its length if it is framed by that
     * @param withoutChunks whether a chunked body is passed on without its framing, and its trailers apart
     */
    public void begin(Framing by, long length, boolean withoutChunks) {
        framing = by;
        left = length;
        decoded = withoutChunks;
        open = by != Framing.NONE;
        trailers = null;
        if (by == Framing.CHUNKED) {
            chunks.reset();
        }
    }

    /** Whether more of the body has to come. */
    public boolean isOpen() {
        return open;
    }

    public Framing framing() {
        return framing;
    }

    /** How many bytes have to come, if that is known; otherwise 0. */
    public long knownRest() {
        return open && framing == Framing.LENGTH ? left : 0;
    }

    /**
     * Notes that bytes of the body went another way. If they were the last, {@link #end} or what is read next ends it.
     *
     * @param bytes how many, at most {@link #knownRest}
     */
    public void passedBy(long bytes) {
        left -= bytes;
    }

    /** Ends a body whose last bytes went another way, behind which nothing was found. */
    public void end(Sink sink) {
        if (open && framing == Framing.LENGTH && left == 0) {
            open = false;
            sink.bodyEnd(true);
        }
    }

    /** Ends a body that lasts until the connection is closed; false if this one should have gone on. */
    public boolean closed() {
        boolean whole = open && framing == Framing.UNTIL_CLOSE;
        open = false;
        return whole;
    }

    /** Forgets the rest of the body. */
    public void abandon() {
        open = false;
    }

    /**
     * Passes on what belongs to the open body.
     *
     * @param in belongs to this method from now on
     * @return the buffer again if something follows the body; null otherwise
     */
    public @Nullable ByteBuf read(ByteBuf in, ByteBufAllocator allocator, Sink sink) {
        return switch (framing) {
            case NONE -> in;
            case LENGTH -> byLength(in, sink);
            case CHUNKED -> decoded ? decoded(in, sink) : chunked(in, allocator, sink);
            case UNTIL_CLOSE -> all(in, sink);
        };
    }

    private static @Nullable ByteBuf all(ByteBuf in, Sink sink) {
        sink.bodyBytes(in);
        return null;
    }

    private @Nullable ByteBuf byLength(ByteBuf in, Sink sink) {
        int run = (int) Math.min(left, in.readableBytes());
        left -= run;
        open = left > 0;
        return passed(in, run, sink);
    }

    private @Nullable ByteBuf passed(ByteBuf in, int run, Sink sink) {
        boolean whole = run == in.readableBytes();
        if (run > 0) {
            sink.bodyBytes(whole ? in : in.readRetainedSlice(run));
        } else if (whole) {
            in.release();
        }
        if (!open) {
            sink.bodyEnd(whole);
        }
        return whole ? null : in;
    }

    private @Nullable ByteBuf chunked(ByteBuf in, ByteBufAllocator allocator, Sink sink) {
        int start = in.readerIndex();
        int end = in.writerIndex();
        int at = start;
        while (at < end && !chunks.isLast() && !chunks.isBad()) {
            at = chunks.step(in, at, end);
        }
        if (chunks.isBad()) {
            return malformed(in, sink, "expected well-formed chunks");
        }
        if (chunks.isLast() && trailers == null && isEmptyLine(in, at)) {
            open = false;
            return passed(in, at + 2 - start, sink);
        }
        if (!chunks.isLast()) {
            return passed(in, at - start, sink);
        }
        if (at > start) {
            sink.bodyBytes(in.readRetainedSlice(at - start));
        }
        return trailers(in, allocator, sink);
    }

    private static boolean isEmptyLine(ByteBuf in, int at) {
        return at + 1 < in.writerIndex() && in.getByte(at) == '\r' && in.getByte(at + 1) == '\n';
    }

    private @Nullable ByteBuf trailers(ByteBuf in, @Nullable ByteBufAllocator passOn, Sink sink) {
        Trailers reading = trailers;
        if (reading == null && passOn == null && isEmptyLine(in, in.readerIndex())) {
            open = false;
            in.skipBytes(2);
            return passed(in, 0, sink);
        }
        if (reading == null) {
            reading = new Trailers();
            trailers = reading;
        }
        return switch (reading.feed(in)) {
            case INCOMPLETE -> {
                in.release();
                yield null;
            }
            case REFUSED -> malformed(in, sink, "expected well-formed trailers");
            case COMPLETE -> {
                open = false;
                if (passOn == null) {
                    sink.bodyTrailers(reading);
                } else {
                    var writer = new HeadWriter();
                    reading.write(writer);
                    sink.bodyBytes(writer.toBuffer(passOn, 0));
                }
                yield passed(in, 0, sink);
            }
        };
    }

    private @Nullable ByteBuf decoded(ByteBuf in, Sink sink) {
        int end = in.writerIndex();
        while (in.isReadable() && !chunks.isLast()) {
            boolean data = chunks.isInData();
            int run = chunks.step(in, in.readerIndex(), end) - in.readerIndex();
            if (chunks.isBad()) {
                return malformed(in, sink, "expected well-formed chunks");
            }
            if (data) {
                sink.bodyBytes(in.readRetainedSlice(run));
            } else {
                in.skipBytes(run);
            }
        }
        if (chunks.isLast()) {
            return trailers(in, null, sink);
        }
        in.release();
        return null;
    }

    private @Nullable ByteBuf malformed(ByteBuf in, Sink sink, String reason) {
        open = false;
        in.release();
        sink.bodyMalformed(reason);
        return null;
    }
}
