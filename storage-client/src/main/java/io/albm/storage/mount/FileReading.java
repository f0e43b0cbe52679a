// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Content;
import io.albm.storage.StripedReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/**
 * Stored content that is read, at any offset. Of whoever reads on where a read has ended, whole stripes are read, the next one
 * ahead, and the last ones are kept, because the kernel asks for a stripe in several pieces, side by side. Of others, what they
 * ask for. Thread-safe.
 */
final class FileReading {
    /** Stripes kept when nobody reads them: that and the threads of the mount bound the memory. */
    private static final int MOST_KEPT = 2;

    /** A file that is read from its start in such pieces is read to its end, most likely. */
    private static final int LARGE_BYTES = 128 * 1024;

    /** Places where reads have ended, of several readers and of reads side by side. */
    private static final int ENDS = 16;

    private final StripedReader reader;
    private final Content content;
    private final Answers answers;
    private final Map<StripedReader.Piece, Kept> kept = new LinkedHashMap<>(MOST_KEPT, 0.75f, true);

    private final long[] ends = new long[ENDS];
    private int nextEnd;
    private boolean closed;

    private static final class Kept {
        private final CompletableFuture<ByteBuf> content;
        private int users;
        private boolean dropped;

        private Kept(CompletableFuture<ByteBuf> content) {
            this.content = content;
        }
    }

    FileReading(StripedReader reader, Content content, Answers answers) {
        this.reader = reader;
        this.content = content;
        this.answers = answers;
    }

    /** Fills {@code target} from an offset on, as far as the file goes. */
    void read(long offset, ByteBuffer target) throws IOException, InterruptedException {
        long end = Math.min(offset + target.remaining(), content.length());
        if (offset >= end) {
            return;
        }
        boolean goesOn = goesOn(offset, end);
        for (long at = offset; at < end; ) {
            StripedReader.Piece piece = reader.pieceAt(at);
            int count = (int) Math.min(end - at, piece.end() - at);
            if (goesOn) {
                readAhead(piece);
            }
            if (goesOn || isKept(piece)) {
                copy(piece, (int) (at - piece.at()), count, target);
            } else {
                readOnly(piece.part(at, count), target);
            }
            at += count;
        }
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

    private void readOnly(StripedReader.Piece part, ByteBuffer target) throws IOException, InterruptedException {
        CompletableFuture<ByteBuf> read = reader.read(part);
        try {
            answers.await(read).readBytes(target.slice(target.position(), part.length()));
            target.position(target.position() + part.length());
        } finally {
            read.thenAccept(ByteBuf::release);
        }
    }

    private void copy(StripedReader.Piece piece, int start, int count, ByteBuffer target)
            throws IOException, InterruptedException {
        Kept mine = take(piece);
        try {
            ByteBuf bytes = answers.await(mine.content);
            bytes.getBytes(bytes.readerIndex() + start, target.slice(target.position(), count));
            target.position(target.position() + count);
        } catch (IOException failure) {
            drop(piece, mine);
            throw failure;
        } finally {
            giveBack(mine);
        }
    }

    private synchronized Kept take(StripedReader.Piece piece) {
        Kept mine = kept.computeIfAbsent(piece, wanted -> new Kept(reader.read(wanted)));
        mine.users++;
        dropSurplus();
        return mine;
    }

    private void dropSurplus() {
        Iterator<Kept> eldest = kept.values().iterator();
        for (int surplus = kept.size() - (closed ? 0 : MOST_KEPT); surplus > 0; surplus--) {
            Kept old = eldest.next();
            eldest.remove();
            drop(old);
        }
    }

    /** Asks for a piece and the one behind it. */
    private void readAhead(StripedReader.Piece piece) {
        giveBack(take(piece));
        long next = piece.end();
        if (next < content.length()) {
            giveBack(take(reader.pieceAt(next)));
        }
    }

    /** A stripe that could not be read is asked for again by whoever wants it next. */
    private synchronized void drop(StripedReader.Piece piece, Kept failed) {
        if (kept.remove(piece, failed)) {
            drop(failed);
        }
    }

    private static void drop(Kept old) {
        old.dropped = true;
        releaseUnused(old);
    }

    private synchronized void giveBack(Kept mine) {
        mine.users--;
        releaseUnused(mine);
    }

    private static void releaseUnused(Kept stripe) {
        if (stripe.dropped && stripe.users == 0) {
            stripe.content.thenAccept(ByteBuf::release);
        }
    }

    /** Whoever is still reading goes on, and nothing is kept any more. */
    synchronized void close() {
        closed = true;
        dropSurplus();
    }
}
