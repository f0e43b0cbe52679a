// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.PackId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where pages are that one checkpoint need not store again: those of its base, and those that ranks of this node have
 * claimed for their own packs. The key is the whole SHA-256 of a page, so equal keys are taken for equal pages.
 *
 * <p>Holds at most {@link #MAX_PAGES} pages, 40 bytes each in a table that is at most half full (40 MiB). Beyond that,
 * pages are not remembered: their duplicates are stored once more, and nothing else happens. Open addressing, since a
 * hash is as good as random: O(1) per page. Safe for use by many threads.
 */
public final class PageTable {
    /** Distinct pages that are remembered at most. */
    public static final int MAX_PAGES = 1 << 19;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int FIRST_CAPACITY = 1 << 10;

    /** Four for the hash, one for the place; a place of 0 is an empty slot. */
    private static final int SLOT = 5;

    private static final long USED = 1L << 63;

    private final int maxPages;
    private final List<PackId> packs = new ArrayList<>();
    private final Map<PackId, Integer> packNumbers = new HashMap<>();
    private long[] slots = new long[FIRST_CAPACITY * SLOT];
    private int pages;

    public PageTable() {
        this(MAX_PAGES);
    }

    PageTable(int maxPages) {
        this.maxPages = maxPages;
    }

    /** @param isFirstUse no rank of this node has used the page in this checkpoint before */
    record Found(PagePlace place, boolean isFirstUse) {}

    /** A page that is stored already. The first place that was said stays. */
    synchronized void offer(byte[] hash, PagePlace place) {
        int slot = slotOf(hash);
        if (slots[slot + 4] == 0) {
            put(hash, slot, encoded(place));
        }
    }

    /** Where a page is; if nobody has it, it is claimed for {@code mine}, where it is from now on. */
    synchronized Found use(byte[] hash, PagePlace mine) {
        int slot = slotOf(hash);
        long known = slots[slot + 4];
        if (known == 0) {
            put(hash, slot, encoded(mine) | USED);
            return new Found(mine, true);
        }
        slots[slot + 4] = known | USED;
        return new Found(place(known), (known & USED) == 0);
    }

    /** Another page would not be remembered. */
    synchronized boolean isFull() {
        return pages == maxPages;
    }

    private void put(byte[] hash, int slot, long place) {
        if (pages == maxPages) {
            return;
        }
        for (int word = 0; word < 4; word++) {
            slots[slot + word] = word(hash, word);
        }
        slots[slot + 4] = place;
        pages++;
        if (pages * 2 * SLOT > slots.length) {
            grow();
        }
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        for (int from = 0; from < old.length; from += SLOT) {
            if (old[from + 4] != 0) {
                int to = start(old[from]);
                while (slots[to + 4] != 0) {
                    to = next(to);
                }
                System.arraycopy(old, from, slots, to, SLOT);
            }
        }
    }

    /** The slot that has the hash, or the empty one where it belongs. */
    private int slotOf(byte[] hash) {
        int slot = start(word(hash, 0));
        while (slots[slot + 4] != 0 && !has(slot, hash)) {
            slot = next(slot);
        }
        return slot;
    }

    private boolean has(int slot, byte[] hash) {
        return slots[slot] == word(hash, 0)
                && slots[slot + 1] == word(hash, 1)
                && slots[slot + 2] == word(hash, 2)
                && slots[slot + 3] == word(hash, 3);
    }

    private int start(long firstWord) {
        int capacity = slots.length / SLOT;
        return (int) (firstWord & (capacity - 1)) * SLOT;
    }

    private int next(int slot) {
        return slot + SLOT == slots.length ? 0 : slot + SLOT;
    }

    private static long word(byte[] hash, int at) {
        return (long) LONGS.get(hash, at * Long.BYTES);
    }

    /** Pack number + 1 above the ordinal, so that no place is 0. */
    private long encoded(PagePlace place) {
        int number = packNumbers.computeIfAbsent(place.pack(), id -> {
            packs.add(id);
            return packs.size() - 1;
        });
        return ((number + 1L) << 32) | place.ordinal();
    }

    private PagePlace place(long encoded) {
        return new PagePlace(packs.get((int) ((encoded & ~USED) >>> 32) - 1), (int) encoded);
    }
}
