// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.store.Document;
import io.albm.cache.store.Identity;
import io.albm.cache.store.MemoryLedger;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response that is being read into memory, to be stored: its lines, and its body as far as it came. Every byte is
 * entered in the ledger before it is allocated. Confined to one event loop.
 */
abstract sealed class Copy {

    /**
     * A copy begins; null if there is no room for it, or it would be too large.
     *
     * @param head of the response that comes in, whose end is not that of the connection
     * @param stored the same as it will be stored
     * @param largest bytes that are kept, with the lines, without what is on the heap
     */
    static @Nullable Copy begin(
            ResponseHead head, StoredHead stored, long largest, MemoryLedger ledger, ByteBufAllocator allocator) {
        HeadWriter lines = new HeadWriter();
        ReplyLines.stored(lines, stored.reply());
        ByteBuf text = lines.toBuffer(allocator, 0);
        try {
            return begin(
                    text, head.framing() == Framing.CHUNKED ? -1 : head.contentLength(), largest, ledger, allocator);
        } finally {
            text.release();
        }
    }

    private static @Nullable Copy begin(
            ByteBuf lines, long length, long largest, MemoryLedger ledger, ByteBufAllocator allocator) {
        long bytes = lines.readableBytes() + Math.max(0, length);
        @Nullable ByteBuf memory = bytes > largest ? null : allocate(bytes, ledger, allocator);
        if (memory == null) {
            return null;
        }
        memory.writeBytes(lines, lines.readerIndex(), lines.readableBytes());
        Document place = document(lines.readableBytes(), Math.max(0, length), memory, ledger);
        return length >= 0 ? new OfKnownLength(place) : new Growing(place, largest, ledger, allocator);
    }

    /** Memory of that size, entered in the ledger; null if there is no room. */
    private static @Nullable ByteBuf allocate(long bytes, MemoryLedger ledger, ByteBufAllocator allocator) {
        if (!ledger.tryReserve(bytes)) {
            return null;
        }
        try {
            return allocator.directBuffer((int) bytes, (int) bytes);
        } catch (Throwable e) {
            ledger.free(bytes);
            throw e;
        }
    }

    private static Document document(int lines, long body, ByteBuf memory, MemoryLedger ledger) {
        return new Document(new Identity(body, "", Instant.EPOCH), lines, memory, ledger);
    }

    /**
     * Takes more of the body.
     *
     * @param bytes still the caller's
     * @return whether there was room; if not, the copy is of no use any more
     */
    abstract boolean add(ByteBuf bytes);

    /**
     * Where the bytes that were added last are, at the end of what was written there, so that a client can be sent from it at
     * its own pace. Later ones may be put elsewhere.
     */
    abstract Document place();

    /** The whole response, of which the caller holds a reference; null if there is no room for it. Ends this copy. */
    abstract @Nullable Document finish();

    /** Gives up what was read. */
    abstract void discard();

    private static final class OfKnownLength extends Copy {
        private final Document document;

        private OfKnownLength(Document document) {
            this.document = document;
        }

        @Override
        Document place() {
            return document;
        }

        @Override
        boolean add(ByteBuf bytes) {
            if (bytes.readableBytes() > document.memory().writableBytes()) {
                return false;
            }
            document.memory().writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
            return true;
        }

        @Override
        @Nullable
        Document finish() {
            if (document.memory().isWritable()) {
                document.release();
                return null;
            }
            return document;
        }

        @Override
        void discard() {
            document.release();
        }
    }

    /**
     * A copy in segments, each as large as all before it, which are put together at the end. None is moved before that, and
     * a slow client keeps those alone that it was not sent.
     */
    private static final class Growing extends Copy {
        private final long largest;
        private final MemoryLedger ledger;
        private final ByteBufAllocator allocator;
        private final List<Document> segments = new ArrayList<>();
        private long taken;

        private Growing(Document lines, long largest, MemoryLedger ledger, ByteBufAllocator allocator) {
            this.largest = largest;
            this.ledger = ledger;
            this.allocator = allocator;
            segments.add(lines);
            taken = lines.bytes();
        }

        @Override
        Document place() {
            return segments.getLast();
        }

        @Override
        boolean add(ByteBuf bytes) {
            int more = bytes.readableBytes();
            if (more > place().memory().writableBytes() && !grow(more)) {
                return false;
            }
            place().memory().writeBytes(bytes, bytes.readerIndex(), more);
            taken += more;
            return true;
        }

        private boolean grow(int needed) {
            long room = Math.min(largest - taken, Math.max(needed, taken));
            @Nullable ByteBuf memory = needed > room ? null : allocate(room, ledger, allocator);
            if (memory == null) {
                return false;
            }
            segments.add(document(0, room, memory, ledger));
            return true;
        }

        @Override
        @Nullable
        Document finish() {
            try {
                @Nullable ByteBuf memory = allocate(taken, ledger, allocator);
                return memory == null ? null : together(memory);
            } finally {
                discard();
            }
        }

        private Document together(ByteBuf memory) {
            segments.forEach(segment ->
                    memory.writeBytes(segment.memory(), 0, segment.memory().writerIndex()));
            int lines = segments.getFirst().headBytes();
            return document(lines, taken - lines, memory, ledger);
        }

        @Override
        void discard() {
            segments.forEach(Document::release);
        }
    }
}
