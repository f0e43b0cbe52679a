// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Values within a weight, and which of them go: S3-FIFO (J. Yang, Y. Zhang, Z. Qiu, Y. Yue, R. Vinayak, "FIFO queues are all you
 * need for cache eviction", SOSP 2023). New values wait in a small queue, a tenth of all, and only those that are asked for
 * twice there move to the main one; so what is read once, a scan, takes a tenth at most. Who comes back soon after it
 * went is known by its key, and goes to the main queue at once. That one gives those that were asked for meanwhile another round.
 *
 * <p>A question costs a look-up and a count. Not thread-safe.
 */
final class S3Fifo<K, V> {
    private static final int SMALL_SHARE = 10;

    /** Rounds in the main queue that questions can earn. */
    private static final int MOST_USES = 3;

    private final long capacity;
    private final int mostGhosts;
    private final BiConsumer<K, V> onEvicted;
    private final Queue<K, V> small = new Queue<>();
    private final Queue<K, V> main = new Queue<>();
    private final LinkedHashSet<K> ghosts = new LinkedHashSet<>();

    /**
     * @param capacity what all values may weigh together
     * @param mostGhosts keys that are remembered of those that went
     * @param onEvicted is told each value that goes for lack of room
     */
    S3Fifo(long capacity, int mostGhosts, BiConsumer<K, V> onEvicted) {
        this.capacity = capacity;
        this.mostGhosts = mostGhosts;
        this.onEvicted = onEvicted;
    }

    private static final class Entry<V> {
        private final V value;
        private final long weight;
        private int uses;

        private Entry(V value, long weight) {
            this.value = value;
            this.weight = weight;
        }
    }

    /** In the order in which they came, with their weight. */
    private static final class Queue<K, V> {
        private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>();
        private long weight;

        private void add(K key, Entry<V> entry) {
            entries.put(key, entry);
            weight += entry.weight;
        }

        private @Nullable Entry<V> remove(K key) {
            Entry<V> entry = entries.remove(key);
            weight -= entry == null ? 0 : entry.weight;
            return entry;
        }

        private Map.Entry<K, Entry<V>> removeOldest() {
            Map.Entry<K, Entry<V>> oldest = entries.firstEntry();
            remove(oldest.getKey());
            return oldest;
        }
    }

    /** The value of a key, which somebody wants; null if there is none. */
    @Nullable
    V get(K key) {
        Entry<V> inMain = main.entries.get(key);
        Entry<V> entry = inMain == null ? small.entries.get(key) : inMain;
        if (entry == null) {
            return null;
        }
        entry.uses = Math.min(MOST_USES, entry.uses + 1);
        return entry.value;
    }

    /** Takes a value whose key has none. It is evicted at once if it does not fit alone. */
    void put(K key, V value, long weight) {
        if (weight > capacity) {
            onEvicted.accept(key, value);
            return;
        }
        Queue<K, V> queue = ghosts.remove(key) ? main : small;
        queue.add(key, new Entry<>(value, weight));
        while (weight() > capacity) {
            evict();
        }
    }

    private void evict() {
        if (main.entries.isEmpty() || small.weight > capacity / SMALL_SHARE) {
            evictFromSmall();
        } else {
            evictFromMain();
        }
    }

    private void evictFromSmall() {
        Map.Entry<K, Entry<V>> oldest = small.removeOldest();
        if (oldest.getValue().uses > 1) {
            oldest.getValue().uses = 0;
            main.add(oldest.getKey(), oldest.getValue());
        } else {
            remember(oldest.getKey());
            onEvicted.accept(oldest.getKey(), oldest.getValue().value);
        }
    }

    private void remember(K key) {
        ghosts.add(key);
        if (ghosts.size() > mostGhosts) {
            ghosts.removeFirst();
        }
    }

    private void evictFromMain() {
        Map.Entry<K, Entry<V>> oldest = main.removeOldest();
        if (oldest.getValue().uses > 0) {
            oldest.getValue().uses--;
            main.add(oldest.getKey(), oldest.getValue());
        } else {
            onEvicted.accept(oldest.getKey(), oldest.getValue().value);
        }
    }

    /** Gives a value up, and says it; null if there is none. */
    @Nullable
    V remove(K key) {
        Entry<V> inSmall = small.remove(key);
        Entry<V> entry = inSmall == null ? main.remove(key) : inSmall;
        return entry == null ? null : entry.value;
    }

    /** What all values weigh together; at most the capacity. */
    long weight() {
        return small.weight + main.weight;
    }
}
