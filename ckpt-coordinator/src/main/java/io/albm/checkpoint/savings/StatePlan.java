// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.PackId;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What is to be stored of one rank's state. Made by one pass over the local copy, which finds its digests, its zero
 * pages and those that are stored already; the second pass, over the new pages alone, is {@link #pack}.
 *
 * <p>A page that two ranks have is claimed by the first of them. The other one refers to a pack that is perhaps not
 * written yet; that is safe because the claimed place never changes, however often the pack is written anew, and because
 * no checkpoint is complete before all of its ranks' packs are.
 *
 * <p>Takes 52 bytes of memory a page. Immutable; costs one SHA-256 of every page and one of the whole.
 */
public final class StatePlan {
    private static final int CHUNK = 1 << 18;

    private final StateIndex index;
    private final String sha256;
    private final long crc32c;
    private final int[] newPages;
    private final int[] newPageChecksums;
    private final long usedBytes;

    private StatePlan(Builder built) {
        this.index = built.index;
        this.sha256 = Digests.hex(built.sha256.digest());
        this.crc32c = built.crc.getValue();
        this.newPages = Arrays.copyOf(built.newPages, built.newCount);
        this.newPageChecksums = Arrays.copyOf(built.newPageChecksums, built.newCount);
        this.usedBytes = built.usedBytes;
    }

    /**
     * Reads a state once.
     *
     * @param own the pack that its new pages will be in
     * @param table of this node and checkpoint
     * @throws TornStateException if there are fewer bytes than {@code size}
     */
    public static StatePlan of(PackId own, PageSource state, long size, PageTable table) throws IOException {
        Builder builder = new Builder(own, size, table);
        byte[] chunk = new byte[Math.max(CHUNK, builder.index.pageBytes())];
        for (long at = 0; at < size; at += chunk.length) {
            int wanted = (int) Math.min(chunk.length, size - at);
            int count = state.read(at, chunk, wanted);
            if (count < wanted) {
                throw new TornStateException("the state ends at byte " + (at + count) + ", not at " + size);
            }
            builder.add(at, chunk, count);
        }
        return new StatePlan(builder);
    }

    /** Bytes of the state. */
    public long size() {
        return index.size();
    }

    /** Of the state, in lower-case hexadecimal. */
    public String sha256() {
        return sha256;
    }

    /** Of the state. */
    public long crc32c() {
        return crc32c;
    }

    /** Bytes of the pages that the pack will have, before compression; 0 if none is needed. */
    public long newBytes() {
        return (long) newPages.length * index.pageBytes();
    }

    /** Bytes of the pages that no rank of this node had used in this checkpoint before. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Where every page is. */
    public StateIndex index() {
        return index;
    }

    /**
     * The new pages as a pack, the same bytes at every call. Reading fails if a page is no longer what it was.
     *
     * @param state as it was given to {@link #of}
     */
    public InputStream pack(PageSource state) {
        return new PackStream(state, index.size(), index.pageBytes(), newPages, newPageChecksums);
    }

    private static final class Builder {
        private final PackId own;
        private final PageTable table;
        private final StateIndex index;
        private final MessageDigest sha256 = Digests.sha256();
        private final MessageDigest pageSha256 = Digests.sha256();
        private final CRC32C crc = new CRC32C();
        private final byte[] zeros;
        private final byte[] hash = new byte[StateIndex.HASH_BYTES];
        private int[] newPages = new int[64];
        private int[] newPageChecksums = new int[64];
        private int newCount;
        private long usedBytes;

        Builder(PackId own, long size, PageTable table) {
            this.own = own;
            this.table = table;
            this.index = new StateIndex(size);
            this.zeros = new byte[index.pageBytes()];
        }

        void add(long at, byte[] chunk, int count) {
            crc.update(chunk, 0, count);
            sha256.update(chunk, 0, count);
            int pageBytes = index.pageBytes();
            for (int from = 0; from < count; from += pageBytes) {
                int end = from + pageBytes;
                if (end > count) {
                    Arrays.fill(chunk, count, end, (byte) 0);
                }
                if (!Arrays.equals(chunk, from, end, zeros, 0, pageBytes)) {
                    addPage((int) ((at + from) / pageBytes), chunk, from);
                }
            }
        }

        private void addPage(int page, byte[] chunk, int from) {
            pageSha256.update(chunk, from, index.pageBytes());
            try {
                pageSha256.digest(hash, 0, hash.length);
            } catch (DigestException e) {
                throw new IllegalStateException("SHA-256 has 32 bytes", e);
            }
            PagePlace mine = new PagePlace(own, newCount);
            PageTable.Found found = table.use(hash, mine);
            index.set(page, hash, found.place());
            usedBytes += found.isFirstUse() ? index.pageBytes() : 0;
            if (found.place().equals(mine)) {
                addNew(page, PackStream.checksum(chunk, from, index.pageBytes()));
            }
        }

        private void addNew(int page, int checksum) {
            if (newCount == newPages.length) {
                newPages = Arrays.copyOf(newPages, newCount * 2);
                newPageChecksums = Arrays.copyOf(newPageChecksums, newCount * 2);
            }
            newPages[newCount] = page;
            newPageChecksums[newCount] = checksum;
            newCount++;
        }
    }
}
