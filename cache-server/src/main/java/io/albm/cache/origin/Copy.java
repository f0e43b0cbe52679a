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
        return length >= 0
                ? new OfKnownLength(document(lines.readableBytes(), length, memory, ledger))
                : new Growing(memory, lines.readableBytes(), largest, ledger, allocator);
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

    /** Where the bytes are put as they come, if that place is known from the start, so that a client can be sent from it. */
    @Nullable
    Document place() {
        return null;
    }

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

    /** A copy that moves to twice the room when it is full. */
    private static final class Growing extends Copy {
        private final int lines;
        private final long largest;
        private final MemoryLedger ledger;
        private final ByteBufAllocator allocator;
        private ByteBuf memory;

        private Growing(ByteBuf memory, int lines, long largest, MemoryLedger ledger, ByteBufAllocator allocator) {
            this.memory = memory;
            this.lines = lines;
            this.largest = largest;
            this.ledger = ledger;
            this.allocator = allocator;
        }

        @Override
        boolean add(ByteBuf bytes) {
            long needed = (long) memory.writerIndex() + bytes.readableBytes();
            if (needed > memory.capacity()
                    && !move(Math.min(largest, Math.max(needed, 2L * memory.capacity())), needed)) {
                return false;
            }
            memory.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
            return true;
        }

        private boolean move(long room, long needed) {
            @Nullable ByteBuf larger = needed > room ? null : allocate(room, ledger, allocator);
            if (larger == null) {
                return false;
            }
            larger.writeBytes(memory, 0, memory.writerIndex());
            discard();
            memory = larger;
            return true;
        }

        @Override
        @Nullable
        Document finish() {
            int bytes = memory.writerIndex();
            if (bytes < memory.capacity() && !move(bytes, bytes)) {
                discard();
                return null;
            }
            return document(lines, bytes - (long) lines, memory, ledger);
        }

        @Override
        void discard() {
            int room = memory.capacity();
            memory.release();
            ledger.free(room);
        }
    }
}
