// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The documents that a policy remembers: residents, and a history of others, whose oldest is forgotten first: at most twice
 * as many (at least 16), with names of at most twice as many bytes (at least 64 KiB).
 *
 * <p>All stand in one dense array, residents first, so that either kind is sampled by drawing an index, and becoming
 * resident, being evicted and being forgotten are one exchange each. Everything is O(1).
 */
final class KnownDocuments<K> {

    private static final int HISTORY_PER_RESIDENT = 2;
    private static final int LEAST_HISTORY = 16;
    private static final long LEAST_NAME_BYTES = 64 << 10;

    private final Map<K, Known<K>> byKey;
    private final List<Known<K>> dense;
    private final ToIntFunction<? super K> nameBytes;
    private int residents;
    private long residentNameBytes;
    private long historyNameBytes;
    private @Nullable Known<K> oldest;
    private @Nullable Known<K> newest;

    /**
     * @param expected how many there is to be room for at once
     * @param nameBytes what it takes to remember a key
     */
    KnownDocuments(int expected, ToIntFunction<? super K> nameBytes) {
        this.nameBytes = nameBytes;
        byKey = HashMap.newHashMap(expected);
        dense = new ArrayList<>(expected);
    }

    @Nullable
    Known<K> find(K key) {
        return byKey.get(key);
    }

    boolean isResident(Known<K> known) {
        return known.place < residents;
    }

    /** Documents in all, and so the indices that {@link #at} takes. */
    int size() {
        return dense.size();
    }

    /** How many of them are resident: those with the lowest indices. */
    int residents() {
        return residents;
    }

    Known<K> at(int place) {
        return dense.get(place);
    }

    /**
     * One of the first so many, each with the same chance but for one in 2<sup>32</sup>: a multiplication, since the division
     * of an exact choice costs more than all else that a draw does.
     *
     * @param bits all values equally likely
     */
    Known<K> draw(int bits, int first) {
        return dense.get((int) ((Integer.toUnsignedLong(bits) * first) >>> Integer.SIZE));
    }

    void exchange(int one, int other) {
        Known<K> first = dense.get(one);
        put(dense.get(other), one);
        put(first, other);
    }

    private void put(Known<K> known, int place) {
        dense.set(place, known);
        known.place = place;
    }

    /** The document of that key as the newest of the history, remembered from now on if it was not. */
    Known<K> recall(K key) {
        Known<K> known = byKey.get(key);
        if (known == null) {
            known = new Known<>(key);
            byKey.put(key, known);
            known.place = dense.size();
            dense.add(known);
        } else {
            unlink(known);
        }
        link(known);
        return known;
    }

    /** Turns a document of the history into a resident. */
    void admit(Known<K> known) {
        unlink(known);
        exchange(known.place, residents++);
        residentNameBytes += nameBytes.applyAsInt(known.key);
        trim();
    }

    /** Turns a resident into the newest of the history. */
    void evict(Known<K> known) {
        exchange(known.place, --residents);
        residentNameBytes -= nameBytes.applyAsInt(known.key);
        link(known);
    }

    /** Forgets the oldest of the history beyond its bound. */
    void trim() {
        int most = Math.max(LEAST_HISTORY, HISTORY_PER_RESIDENT * residents);
        long mostNameBytes = Math.max(LEAST_NAME_BYTES, HISTORY_PER_RESIDENT * residentNameBytes);
        while (oldest != null && (dense.size() - residents > most || historyNameBytes > mostNameBytes)) {
            forget(oldest);
        }
    }

    private void forget(Known<K> known) {
        unlink(known);
        byKey.remove(known.key);
        int place = known.place;
        known.place = Known.FORGOTTEN;
        Known<K> last = dense.removeLast();
        if (last != known) {
            put(last, place);
        }
    }

    private void link(Known<K> known) {
        historyNameBytes += nameBytes.applyAsInt(known.key);
        known.older = newest;
        if (newest == null) {
            oldest = known;
        } else {
            newest.newer = known;
        }
        newest = known;
    }

    private void unlink(Known<K> known) {
        historyNameBytes -= nameBytes.applyAsInt(known.key);
        Known<K> older = known.older;
        Known<K> newer = known.newer;
        if (older == null) {
            oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
        known.older = null;
        known.newer = null;
    }
}
