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

/**
 * Stored content that is read, at any offset. It keeps the stripes that were used last, because the kernel asks for a stripe
 * in several pieces, side by side. Thread-safe.
 */
final class FileReading {
    /** Stripes kept when nobody reads them: that and the threads of the mount bound the memory. */
    private static final int MOST_KEPT = 2;

    private final StripedReader reader;
    private final Content content;
    private final Answers answers;
    private final Map<StripedReader.Piece, Kept> kept = new LinkedHashMap<>(MOST_KEPT, 0.75f, true);

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
        long left = Math.min(target.remaining(), content.length() - offset);
        long at = offset;
        while (left > 0) {
            StripedReader.Piece piece = reader.pieceAt(at);
            int start = (int) (at - piece.at());
            int count = (int) Math.min(left, piece.length() - start);
            copy(piece, start, count, target);
            at += count;
            left -= count;
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

    /** Asks for the stripe behind an offset's, for somebody who reads from start to end. */
    void readAhead(long offset) {
        long next = reader.pieceAt(offset).end();
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
