// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Content;
import io.albm.storage.StorageException;
import io.albm.storage.StreamMemory;
import io.albm.storage.StripedReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Stored content that is read, at any offset. Of whoever reads on where a read has ended, whole pieces are read, some ahead, and
 * the last ones are kept until all of them was read, because the kernel asks for a stripe in several parts, side by side. Of
 * others, and when {@link StreamMemory} has no more, what they ask for. What is in several pieces is asked for at once. Thread-safe.
 */
final class FileReading {
    /** Pieces kept when nobody reads them, however long. */
    private static final int MOST_KEPT = 2;

    /** Bytes of short pieces that are kept. */
    private static final long MOST_KEPT_BYTES = 4 << 20;

    /** Bytes read ahead, at least: of a stripe that is longer, all. */
    private static final int AHEAD_BYTES = 1 << 20;

    /** Pieces that one reader asks for at once, however short. */
    private static final int MOST_AT_ONCE = 256;

    /** A file that is read from its start in such pieces is read to its end, most likely. */
    private static final int LARGE_BYTES = 128 * 1024;

    /** Places where reads have ended, of several readers and of reads side by side. */
    private static final int ENDS = 16;

    private final StripedReader reader;
    private final Content content;
    private final StreamMemory memory;
    private final Answers answers;
    private final LinkedHashMap<StripedReader.Piece, Kept> kept = new LinkedHashMap<>(MOST_KEPT, 0.75f, true);
    private long keptBytes;

    private final long[] ends = new long[ENDS];
    private int nextEnd;
    private boolean closed;

    private static final class Kept {
        private final StripedReader.Piece piece;
        private final CompletableFuture<ByteBuf> content;
        private int users;
        private long readBytes;
        private boolean dropped;

        private Kept(StripedReader.Piece piece, CompletableFuture<ByteBuf> content) {
            this.piece = piece;
            this.content = content;
        }
    }

    /** A part of what is asked for, on its way; a part of what is kept, or by itself. */
    private record Part(
            StripedReader.Piece wanted,
            CompletableFuture<ByteBuf> bytes,
            int start,
            Runnable giveBack,
            Runnable drop) {}

    FileReading(StripedReader reader, Content content, StreamMemory memory, Answers answers) {
        this.reader = reader;
        this.content = content;
        this.memory = memory;
        this.answers = answers;
    }

    /** Fills {@code target} from an offset on, as far as the file goes. */
    void read(long offset, ByteBuffer target) throws IOException, InterruptedException {
        long end = Math.min(offset + target.remaining(), content.length());
        if (offset >= end) {
            return;
        }
        boolean goesOn = goesOn(offset, end);
        if (goesOn) {
            readAhead(offset, end);
        }
        for (long at = offset; at < end; ) {
            at = readSome(at, end, goesOn, target);
        }
    }

    /** Where the next data, or the next hole, is from an offset on; the end of the file if there is none. */
    long seek(long offset, boolean hole) {
        return hole ? reader.holeFrom(offset) : reader.dataFrom(offset);
    }

    /** Reads as many pieces as may be asked for at once. @return where they end */
    private long readSome(long start, long end, boolean goesOn, ByteBuffer target)
            throws IOException, InterruptedException {
        List<Part> parts = new ArrayList<>();
        try {
            long at = start;
            while (at < end && parts.size() < MOST_AT_ONCE) {
                StripedReader.Piece piece = reader.pieceAt(at);
                StripedReader.Piece wanted = piece.part(at, end - at);
                Kept kept = goesOn || isKept(piece) ? take(piece) : null;
                parts.add(kept == null ? alone(wanted) : kept(kept, wanted));
                at = wanted.end();
            }
            for (Part part : parts) {
                copy(part, target);
            }
            return at;
        } finally {
            parts.forEach(part -> part.giveBack().run());
        }
    }

    private Part kept(Kept kept, StripedReader.Piece wanted) {
        return new Part(
                wanted,
                kept.content,
                (int) (wanted.at() - kept.piece.at()),
                () -> giveBack(kept, wanted.length()),
                () -> drop(kept));
    }

    private Part alone(StripedReader.Piece wanted) {
        CompletableFuture<ByteBuf> read = reader.read(wanted);
        return new Part(wanted, read, 0, () -> read.thenAccept(ByteBuf::release), () -> {});
    }

    private void copy(Part part, ByteBuffer target) throws IOException, InterruptedException {
        int count = part.wanted().length();
        try {
            copy(answers.await(part.bytes()), part.start(), count, target);
        } catch (StorageException.DataLost loss) {
            part.drop().run();
            if (!loss.mayPass()) {
                throw loss;
            }
            ByteBuf again = answers.read(() -> reader.read(part.wanted()));
            copy(again, 0, count, target);
            again.release();
        } catch (IOException failure) {
            part.drop().run();
            throw failure;
        }
    }

    private static void copy(ByteBuf bytes, int start, int count, ByteBuffer target) {
        bytes.getBytes(bytes.readerIndex() + start, target.slice(target.position(), count));
        target.position(target.position() + count);
    }

    /** Whether this is one of several reads in a row. Remembers where it ends. */
    private synchronized boolean goesOn(long offset, long end) {
        boolean known = offset == 0 ? end >= LARGE_BYTES : LongStream.of(ends).anyMatch(earlier -> earlier == offset);
        ends[nextEnd] = end;
        nextEnd = (nextEnd + 1) % ENDS;
        return known;
    }

    private synchronized boolean isKept(StripedReader.Piece piece) {
        return kept.containsKey(piece);
    }

    /** A piece to be {@linkplain #giveBack given back}; null if it is not kept and there is no memory for it. */
    private synchronized @Nullable Kept take(StripedReader.Piece piece) {
        Kept mine = kept.get(piece);
        if (mine != null && mine.users == 0 && mine.content.isCompletedExceptionally()) {
            // It was read ahead, and may have failed long ago.
            drop(mine);
            mine = null;
        }
        if (mine == null) {
            if (!memory.take(piece.length())) {
                return null;
            }
            mine = new Kept(piece, reader.read(piece));
            kept.put(piece, mine);
            keptBytes += piece.length();
        }
        mine.users++;
        dropSurplus();
        return mine;
    }

    private void dropSurplus() {
        while (!kept.isEmpty() && (closed || isSurplus(kept.firstEntry().getKey()))) {
            drop(kept.firstEntry().getValue());
        }
    }

    private boolean isSurplus(StripedReader.Piece eldest) {
        return kept.size() > MOST_KEPT && keptBytes - eldest.length() >= MOST_KEPT_BYTES;
    }

    /** Asks for the pieces of a range and some behind it. */
    private void readAhead(long start, long end) {
        long ahead = 0;
        long at = start;
        for (int asked = 0; at < content.length() && ahead < AHEAD_BYTES && asked < MOST_AT_ONCE; asked++) {
            StripedReader.Piece piece = reader.pieceAt(at);
            Kept asking = take(piece);
            if (asking == null) {
                return;
            }
            giveBack(asking, 0);
            at = piece.end();
            ahead += piece.at() < end ? 0 : piece.length();
        }
    }

    /** A piece that could not be read is asked for again by whoever wants it next. */
    private synchronized void drop(Kept old) {
        if (kept.remove(old.piece, old)) {
            keptBytes -= old.piece.length();
            old.dropped = true;
            releaseUnused(old);
        }
    }

    private synchronized void giveBack(Kept mine, int readBytes) {
        mine.users--;
        mine.readBytes += readBytes;
        if (!mine.dropped && mine.readBytes >= mine.piece.length()) {
            drop(mine);
        } else {
            releaseUnused(mine);
        }
    }

    private void releaseUnused(Kept old) {
        if (old.dropped && old.users == 0) {
            old.content.whenComplete((bytes, failure) -> {
                memory.give(old.piece.length());
                if (bytes != null) {
                    bytes.release();
                }
            });
        }
    }

    /** Whoever is still reading goes on, and nothing is kept any more. */
    synchronized void close() {
        closed = true;
        dropSurplus();
    }
}
