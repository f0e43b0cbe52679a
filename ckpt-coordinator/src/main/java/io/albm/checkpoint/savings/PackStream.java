// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A pack while it is written: batches of pages, each compressed if that gains something, then the {@link PackDirectory}.
 * Has one batch in memory. For one thread.
 */
final class PackStream extends InputStream {
    private final PageSource state;
    private final long size;
    private final int[] pages;
    private final int[] checksums;
    private final byte[] page;
    private final byte[] batch;
    private final PackDirectory.Builder directory;
    private byte[] ready = {};
    private int taken;
    private int next;
    private boolean ended;

    /** @param checksums what {@link #checksum} says of each of the pages */
    PackStream(PageSource state, long size, int pageBytes, int[] pages, int[] checksums) {
        this.state = state;
        this.size = size;
        this.pages = pages;
        this.checksums = checksums;
        this.page = new byte[pageBytes];
        this.batch = new byte[PackDirectory.pagesInBatch(pageBytes) * pageBytes];
        this.directory = new PackDirectory.Builder(pages.length, pageBytes);
    }

    static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (taken == ready.length && !advance()) {
            return -1;
        }
        int count = Math.min(length, ready.length - taken);
        System.arraycopy(ready, taken, target, offset, count);
        taken += count;
        return count;
    }

    private boolean advance() throws IOException {
        if (ended) {
            return false;
        }
        taken = 0;
        ended = next == pages.length;
        ready = ended ? directory.bytes() : nextBatch();
        return true;
    }

    private byte[] nextBatch() throws IOException {
        int length = 0;
        while (length < batch.length && next < pages.length) {
            state.readPage((long) pages[next] * page.length, page, size);
            if (checksum(page, 0, page.length) != checksums[next]) {
                throw new TornStateException("the local copy has changed at byte " + (long) pages[next] * page.length);
            }
            System.arraycopy(page, 0, batch, length, page.length);
            length += page.length;
            next++;
        }
        Codec codec = Codec.suited(batch, length);
        byte[] stored = codec.compress(batch, length);
        if (stored.length >= length) {
            codec = Codec.RAW;
            stored = codec.compress(batch, length);
        }
        directory.add(codec, stored.length);
        return stored;
    }
}
