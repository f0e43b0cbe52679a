// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file as it was when it was opened, piece by piece: a piece is what one stripe of one segment has of a range, what
 * the file table has of it, or a part of a hole. A segment that moves to other nodes meanwhile is read there. Thread-safe.
 */
public final class StripedReader {
    private static final int MAX_HOLE_BYTES = 1 << 20;

    private final StripedFiles files;
    private final FileInfo file;
    private final ExtentMap extents;
    private final ByteBufAllocator allocator;
    private final Suspects suspects = new Suspects();
    private final Map<String, SegmentReader> segments = new ConcurrentHashMap<>();
    private final Map<String, InlineBytes> inline = new HashMap<>();

    StripedReader(StripedFiles files, FileInfo file) {
        this.files = files;
        this.file = file;
        this.extents = new ExtentMap(file.content().extents());
        this.allocator = files.allocator();
        for (Segment segment : file.content().segments()) {
            if (segment.inline() != null) {
                inline.put(segment.generation(), segment.inline());
            } else {
                segments.put(segment.generation(), new SegmentReader(files, file, segment, suspects));
            }
        }
    }

    /** The file that is read. */
    public FileInfo file() {
        return file;
    }

    /**
     * A range of the file that is read at once.
     *
     * @param at its start in the file, in bytes
     * @param length bytes, at least 1
     * @param generation the segment that has it; null for a part of a hole
     * @param from its start in the segment, in bytes
     */
    public record Piece(long at, int length, @Nullable String generation, long from) {
        /** The first byte behind it. */
        public long end() {
            return at + length;
        }

        /** The part of it from a place in the file on, which is within it, as far as it goes. */
        public Piece part(long start, long atMost) {
            int count = (int) Math.min(atMost, end() - start);
            return new Piece(start, count, generation, generation == null ? 0 : from + start - at);
        }
    }

    /**
     * The piece that has a byte. The pieces of a file are always the same.
     *
     * @param at 0 to the file's length less 1
     */
    public Piece pieceAt(long at) {
        if (at < 0 || at >= file.length()) {
            throw new IllegalArgumentException("byte " + at + ": expected one of " + file.length());
        }
        Extent extent = extents.at(at);
        return extent == null ? holeAt(at) : pieceAt(at, extent);
    }

    private Piece holeAt(long at) {
        long start = at - at % MAX_HOLE_BYTES;
        long from = Math.max(start, extents.endBefore(at));
        long end = Math.min(Math.min(start + MAX_HOLE_BYTES, file.length()), extents.startBehind(at));
        return new Piece(from, (int) (end - from), null, 0);
    }

    private Piece pieceAt(long at, Extent extent) {
        if (inline.containsKey(extent.generation())) {
            return new Piece(extent.at(), (int) extent.length(), extent.generation(), extent.from());
        }
        long stripeBytes = reader(extent.generation()).segment().geometry().stripeBytes();
        long inSegment = extent.from() + at - extent.at();
        long stripe = inSegment - inSegment % stripeBytes;
        long from = Math.max(stripe, extent.from());
        long end = Math.min(stripe + stripeBytes, extent.from() + extent.length());
        return new Piece(extent.at() + from - extent.from(), (int) (end - from), extent.generation(), from);
    }

    /** Where the first byte is, from a place on, that was written; the file's length if there is none. */
    public long dataFrom(long at) {
        return Math.min(extents.dataFrom(at), file.length());
    }

    /** Where the first byte is, from a place on, that is in a hole; the file's length if there is none. */
    public long holeFrom(long at) {
        return Math.min(extents.holeFrom(at), file.length());
    }

    private SegmentReader reader(String generation) {
        SegmentReader reader = segments.get(generation);
        if (reader == null) {
            throw new IllegalStateException(file.path() + ": an extent of " + generation + ", which it does not have");
        }
        return reader;
    }

    /**
     * Reads a piece, or a part of one. The caller releases the buffer.
     *
     * @return fails with {@link StorageException.DataLost} if more units of a stripe are lost than there is parity for, or
     *     {@link StorageException.FileChanged} if that is because the file was replaced or removed
     */
    public CompletableFuture<ByteBuf> read(Piece piece) {
        if (piece.generation() == null) {
            return CompletableFuture.completedFuture(
                    allocator.directBuffer(piece.length()).writeZero(piece.length()));
        }
        InlineBytes bytes = inline.get(piece.generation());
        if (bytes != null) {
            return CompletableFuture.completedFuture(read(bytes, piece));
        }
        SegmentReader reader = reader(piece.generation());
        return read(reader, piece)
                .exceptionallyCompose(failure -> isChange(failure)
                        ? moved(reader, failure).thenCompose(there -> read(there, piece))
                        : CompletableFuture.failedFuture(failure));
    }

    private static CompletableFuture<ByteBuf> read(SegmentReader reader, Piece piece) {
        long stripeBytes = reader.segment().geometry().stripeBytes();
        return reader.read(piece.from() / stripeBytes, (int) (piece.from() % stripeBytes), piece.length());
    }

    private static boolean isChange(Throwable failure) {
        return StorageException.unwrap(failure) instanceof StorageException.FileChanged;
    }

    /** Reads a segment where it is now: its blocks are removed from where they were as soon as it has moved. */
    private CompletableFuture<SegmentReader> moved(SegmentReader before, Throwable change) {
        return before.current()
                .thenCompose(now -> now.map(segment -> CompletableFuture.completedFuture(readOn(segment)))
                        .orElseGet(() -> CompletableFuture.failedFuture(change)));
    }

    private SegmentReader readOn(Segment moved) {
        SegmentReader reader = new SegmentReader(files, file, moved, suspects);
        segments.put(moved.generation(), reader);
        return reader;
    }

    private ByteBuf read(InlineBytes bytes, Piece piece) {
        ByteBuf body = allocator.directBuffer(piece.length());
        bytes.copyTo(body, (int) piece.from(), piece.length());
        return body;
    }

    /** The readers of all segments that are on nodes. */
    List<SegmentReader> segments() {
        return List.copyOf(segments.values());
    }
}
