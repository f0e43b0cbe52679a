// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which pages a rank's state is made of, and where each of them is: a small file of its own beside the pack. 32 bytes a
 * page that is not zero, 12 for each run of pages that follow one another in a pack, too.
 *
 * <p><b>Why fixed pages.</b> A memory image has its equal parts at multiples of the machine's page, within a rank,
 * across ranks and across generations; cutting by content would cost a pass over every byte to find what is known
 * beforehand. Pages are 4 KiB; a state of more than 1 GiB has larger ones, so that there are at most {@link #MAX_PAGES}
 * and an index takes at most 11 MiB.
 */
public final class StateIndex {
    /** Pages of a state at most. */
    public static final int MAX_PAGES = 1 << 18;

    static final int HASH_BYTES = 32;

    private static final int SMALLEST_PAGE = 4 << 10;
    private static final int LARGEST_PAGE = 1 << 28;
    private static final byte[] MAGIC = "ALBMIDX1".getBytes(US_ASCII);
    private static final int ZERO = -1;

    private final long size;
    private final int pageBytes;
    private final List<PackId> packs = new ArrayList<>();
    private final Map<PackId, Integer> packNumbers = new HashMap<>();
    private final int[] packOf;
    private final int[] ordinals;
    private final byte[] hashes;

    StateIndex(long size) {
        this(size, pageBytes(size));
    }

    private StateIndex(long size, int pageBytes) {
        this.size = size;
        this.pageBytes = pageBytes;
        int pages = Math.toIntExact((size + pageBytes - 1) / pageBytes);
        this.packOf = new int[pages];
        this.ordinals = new int[pages];
        this.hashes = new byte[pages * HASH_BYTES];
        Arrays.fill(packOf, ZERO);
    }

    private static int pageBytes(long size) {
        int bytes = SMALLEST_PAGE;
        while (size > (long) bytes * MAX_PAGES) {
            bytes *= 2;
        }
        return bytes;
    }

    /** Bytes of the state. */
    public long size() {
        return size;
    }

    /** All packs that have pages of this state. */
    public List<PackId> packs() {
        return List.copyOf(packs);
    }

    int pageBytes() {
        return pageBytes;
    }

    int pages() {
        return packOf.length;
    }

    boolean isZero(int page) {
        return packOf[page] == ZERO;
    }

    PagePlace place(int page) {
        return new PagePlace(packs.get(packOf[page]), ordinals[page]);
    }

    byte[] hash(int page) {
        return Arrays.copyOfRange(hashes, page * HASH_BYTES, (page + 1) * HASH_BYTES);
    }

    boolean hasHash(int page, byte[] hash) {
        return Arrays.equals(hash, 0, HASH_BYTES, hashes, page * HASH_BYTES, (page + 1) * HASH_BYTES);
    }

    void set(int page, byte[] hash, PagePlace place) {
        System.arraycopy(hash, 0, hashes, page * HASH_BYTES, HASH_BYTES);
        packOf[page] = packNumbers.computeIfAbsent(place.pack(), id -> {
            packs.add(id);
            return packs.size() - 1;
        });
        ordinals[page] = place.ordinal();
    }

    /** Tells the table of all these pages, so that the next checkpoint need not store them. */
    public void offerTo(PageTable table) {
        for (int page = 0; page < pages(); page++) {
            if (!isZero(page)) {
                table.offer(hash(page), place(page));
            }
        }
    }

    /** As a file. */
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(MAGIC);
            out.writeInt(pageBytes);
            out.writeLong(size);
            out.writeInt(packs.size());
            for (PackId pack : packs) {
                out.writeLong(pack.checkpoint());
                out.writeInt(pack.rank());
            }
            for (int page = 0, next; page < pages(); page = next) {
                next = endOfRun(page);
                out.writeInt(packOf[page]);
                out.writeInt(ordinals[page]);
                out.writeInt(next - page);
            }
            for (int page = 0; page < pages(); page++) {
                if (!isZero(page)) {
                    out.write(hashes, page * HASH_BYTES, HASH_BYTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes every byte", e);
        }
        return bytes.toByteArray();
    }

    private int endOfRun(int first) {
        int page = first + 1;
        while (page < pages()
                && packOf[page] == packOf[first]
                && (isZero(first) || ordinals[page] == ordinals[first] + page - first)) {
            page++;
        }
        return page;
    }

    /**
     * Reads the file of a stored state.
     *
     * @throws LostDataException if it is not the file that was stored
     */
    public static StateIndex of(StoredUnit unit, byte[] content) {
        String digest = Digests.sha256(content);
        if (!digest.equals(unit.indexSha256())) {
            throw new LostDataException("index " + unit.path() + " of rank " + unit.rank()
                    + " is not what was stored: SHA-256 " + digest + ", expected " + unit.indexSha256());
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            return read(in);
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
            throw new LostDataException("index " + unit.path() + " has a format that this version cannot read", e);
        }
    }

    private static StateIndex read(DataInputStream in) throws IOException {
        if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
            throw new IOException("no index of a state");
        }
        int pageBytes = in.readInt();
        if (pageBytes < SMALLEST_PAGE || pageBytes > LARGEST_PAGE || Integer.bitCount(pageBytes) != 1) {
            throw new IOException("pages of " + pageBytes + " bytes");
        }
        StateIndex index = new StateIndex(in.readLong(), pageBytes);
        int packs = in.readInt();
        for (int number = 0; number < packs; number++) {
            index.packs.add(new PackId(in.readLong(), in.readInt()));
            index.packNumbers.put(index.packs.getLast(), number);
        }
        for (int page = 0; page < index.pages(); ) {
            page += index.readRun(in, page);
        }
        for (int page = 0; page < index.pages(); page++) {
            if (!index.isZero(page)) {
                in.readFully(index.hashes, page * HASH_BYTES, HASH_BYTES);
            }
        }
        return index;
    }

    private int readRun(DataInputStream in, int first) throws IOException {
        int pack = in.readInt();
        int ordinal = in.readInt();
        int count = in.readInt();
        if (count < 1 || pack < ZERO || pack >= packs.size() || ordinal < 0) {
            throw new IOException("a run of " + count + " pages in pack " + pack);
        }
        for (int page = first; page < first + count; page++) {
            packOf[page] = pack;
            ordinals[page] = ordinal + page - first;
        }
        return count;
    }
}
