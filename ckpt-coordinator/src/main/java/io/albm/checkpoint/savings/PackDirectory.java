// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.LostDataException;
import java.nio.ByteBuffer;

/**
 * The end of a pack: length and codec of each batch, so that a page is found by its ordinal. 5 bytes a batch and 20 at
 * the very end. What it says is not trusted: every page is held against its hash, which is in the index.
 */
final class PackDirectory {
    /** At the end of every pack. */
    static final int FOOTER_BYTES = 20;

    private static final long MAGIC = 0x414C_424D_5041_4B31L;
    private static final int ENTRY_BYTES = 5;

    /** What compression works on at once: LZ4 sees 64 KiB back, zstd at its lowest level twice a batch. */
    private static final int BATCH_BYTES = 1 << 18;

    private final int pages;
    private final int pageBytes;
    private final long[] starts;
    private final Codec[] codecs;

    private PackDirectory(int pages, int pageBytes, long[] starts, Codec[] codecs) {
        this.pages = pages;
        this.pageBytes = pageBytes;
        this.starts = starts;
        this.codecs = codecs;
    }

    static int pagesInBatch(int pageBytes) {
        return Math.max(1, BATCH_BYTES / pageBytes);
    }

    int batchOf(int ordinal) {
        if (ordinal >= pages) {
            throw new LostDataException("page " + ordinal + " of " + pages);
        }
        return ordinal / pagesInBatch(pageBytes);
    }

    /** Where a page is within its batch, in bytes. */
    int offsetInBatch(int ordinal) {
        return ordinal % pagesInBatch(pageBytes) * pageBytes;
    }

    long start(int batch) {
        return starts[batch];
    }

    long end(int batch) {
        return starts[batch + 1];
    }

    /** The pages of a batch. */
    byte[] expand(int batch, byte[] stored, int offset) {
        int perBatch = pagesInBatch(pageBytes);
        int count = Math.min(perBatch, pages - batch * perBatch);
        return codecs[batch].read(stored, offset, (int) (end(batch) - start(batch)), count * pageBytes);
    }

    /** How many bytes before the end of the pack are its directory, by its footer. */
    static int length(ByteBuffer footer) {
        long batches = Integer.toUnsignedLong(footer.getInt(footer.position() + 8));
        long length = FOOTER_BYTES + batches * ENTRY_BYTES;
        if (footer.getLong(footer.position() + 12) != MAGIC || length > Integer.MAX_VALUE) {
            throw new LostDataException("no directory at its end");
        }
        return (int) length;
    }

    /**
     * Reads a directory.
     *
     * @param bytes all of it, with the footer
     * @param packBytes length of the pack
     * @param pageBytes as in the index that refers to the pack
     */
    static PackDirectory of(ByteBuffer bytes, long packBytes, int pageBytes) {
        int batches = (bytes.remaining() - FOOTER_BYTES) / ENTRY_BYTES;
        long[] starts = new long[batches + 1];
        Codec[] codecs = new Codec[batches];
        for (int batch = 0; batch < batches; batch++) {
            starts[batch + 1] = starts[batch] + Integer.toUnsignedLong(bytes.getInt());
            codecs[batch] = Codec.of(bytes.get());
        }
        int pages = bytes.getInt();
        int ofPages = bytes.getInt();
        int perBatch = pagesInBatch(pageBytes);
        boolean fits = starts[batches] == packBytes - FOOTER_BYTES - (long) batches * ENTRY_BYTES;
        if (ofPages != pageBytes || pages < 0 || ((long) pages + perBatch - 1) / perBatch != batches || !fits) {
            throw new LostDataException("its directory does not fit its " + packBytes + " bytes");
        }
        return new PackDirectory(pages, pageBytes, starts, codecs);
    }

    /** Takes batches in their order. */
    static final class Builder {
        private final ByteBuffer bytes;

        Builder(int pages, int pageBytes) {
            int perBatch = pagesInBatch(pageBytes);
            int batches = (pages + perBatch - 1) / perBatch;
            bytes = ByteBuffer.allocate(batches * ENTRY_BYTES + FOOTER_BYTES);
            bytes.putInt(bytes.capacity() - FOOTER_BYTES, pages)
                    .putInt(bytes.capacity() - FOOTER_BYTES + 4, pageBytes)
                    .putInt(bytes.capacity() - FOOTER_BYTES + 8, batches)
                    .putLong(bytes.capacity() - FOOTER_BYTES + 12, MAGIC);
        }

        void add(Codec codec, int storedLength) {
            bytes.putInt(storedLength).put((byte) codec.number);
        }

        byte[] bytes() {
            return bytes.array();
        }
    }
}
