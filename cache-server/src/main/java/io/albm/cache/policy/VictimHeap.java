// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resident documents in the order of a value that the policy gives each of them: a binary heap with the least valuable
 * on top, and an index by key. Of equally valuable ones that one goes first whose value was set first. Every change is
 * O(log n).
 */
final class VictimHeap<K> {

    /** A document with its value; {@code requests} is the policy's to use. */
    static final class Entry<K> {
        private final K key;
        private final long bytes;
        private double value;
        private long turn;
        private int place;
        int requests = 1;

        private Entry(K key, long bytes) {
            this.key = key;
            this.bytes = bytes;
        }

        K key() {
            return key;
        }

        long bytes() {
            return bytes;
        }

        double value() {
            return value;
        }

        private boolean goesBefore(Entry<K> other) {
            return value == other.value ? turn < other.turn : value < other.value;
        }
    }

    private final Map<K, Entry<K>> byKey;
    private final List<Entry<K>> heap;
    private long capacityBytes;
    private long bytes;
    private long turns;

    /**
     * @param expected how many there is to be room for at once
     */
    VictimHeap(long capacityBytes, int expected) {
        byKey = HashMap.newHashMap(expected);
        heap = new ArrayList<>(expected);
        this.capacityBytes = capacityBytes;
    }

    @Nullable
    Entry<K> find(K key) {
        return byKey.get(key);
    }

    /**
     * Finds a document that must be here.
     *
     * @throws IllegalArgumentException if it is not
     */
    Entry<K> get(K key) {
        Entry<K> entry = byKey.get(key);
        if (entry == null) {
            throw new IllegalArgumentException(key + " is not resident");
        }
        return entry;
    }

    /**
     * Takes a document in, if it can fit at all, after evicting the least valuable ones.
     *
     * @throws IllegalArgumentException if it is here already
     */
    @Nullable
    Entry<K> add(K key, long bytes, Consumer<? super Entry<K>> evicted) {
        if (byKey.containsKey(key)) {
            throw new IllegalArgumentException(key + " is resident already");
        }
        if (bytes > capacityBytes) {
            return null;
        }
        evictUntilFits(bytes, evicted);
        Entry<K> entry = new Entry<>(key, bytes);
        byKey.put(key, entry);
        this.bytes += bytes;
        entry.place = heap.size();
        heap.add(entry);
        return entry;
    }

    void resize(long capacityBytes, Consumer<? super Entry<K>> evicted) {
        this.capacityBytes = Capacity.check(capacityBytes);
        evictUntilFits(0, evicted);
    }

    private void evictUntilFits(long room, Consumer<? super Entry<K>> evicted) {
        while (bytes > capacityBytes - room) {
            Entry<K> victim = first();
            remove(victim.key);
            evicted.accept(victim);
        }
    }

    private Entry<K> first() {
        if (heap.isEmpty()) {
            throw new NoSuchElementException("no resident is left to evict");
        }
        return heap.getFirst();
    }

    void remove(K key) {
        Entry<K> entry = byKey.remove(key);
        if (entry != null) {
            bytes -= entry.bytes;
            Entry<K> last = heap.removeLast();
            if (last != entry) {
                put(last, entry.place);
                settle(last);
            }
        }
    }

    /** Sets what a document is worth from now on. */
    void value(Entry<K> entry, double value) {
        entry.value = value;
        entry.turn = turns++;
        settle(entry);
    }

    private void settle(Entry<K> entry) {
        rise(entry);
        sink(entry);
    }

    private void rise(Entry<K> entry) {
        while (entry.place > 0) {
            Entry<K> parent = heap.get((entry.place - 1) / 2);
            if (!entry.goesBefore(parent)) {
                return;
            }
            exchange(entry, parent);
        }
    }

    private void sink(Entry<K> entry) {
        for (int child = 2 * entry.place + 1; child < heap.size(); child = 2 * entry.place + 1) {
            Entry<K> least = heap.get(child);
            if (child + 1 < heap.size() && heap.get(child + 1).goesBefore(least)) {
                least = heap.get(child + 1);
            }
            if (!least.goesBefore(entry)) {
                return;
            }
            exchange(entry, least);
        }
    }

    private void exchange(Entry<K> one, Entry<K> other) {
        int place = one.place;
        put(one, other.place);
        put(other, place);
    }

    private void put(Entry<K> entry, int place) {
        entry.place = place;
        heap.set(place, entry);
    }

    /** A document with its place in the order, as they were at one moment. */
    private record Valued<K>(K key, double value, long turn) {}

    /** Copies keys and values in O(n); what it returns sorts them, in O(n log n). */
    Supplier<List<K>> leastValuableFirst() {
        List<Valued<K>> copy = new ArrayList<>(heap.size());
        heap.forEach(entry -> copy.add(new Valued<>(entry.key, entry.value, entry.turn)));
        Comparator<Valued<K>> order = Comparator.comparingDouble(Valued::value);
        return () -> copy.stream()
                .sorted(order.thenComparingLong(Valued::turn))
                .map(Valued::key)
                .toList();
    }

    long capacityBytes() {
        return capacityBytes;
    }

    long bytes() {
        return bytes;
    }

    int size() {
        return heap.size();
    }
}
