// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Evicts the document that was served least recently. Every operation is O(1), and O(1) per victim. */
final class LruPolicy<K> implements EvictionPolicy<K> {

    private static final int HASH_PLACES = 16;
    private static final float LOAD = 0.75f;

    /** Sizes in bytes; access order, so the first entry is the least recently used. */
    private final LinkedHashMap<K, Long> bytesOf;

    private long capacityBytes;
    private long residentBytes;

    LruPolicy(PolicyContext<K> context) {
        bytesOf = new LinkedHashMap<>(HASH_PLACES + (int) (context.expectedDocuments() / LOAD), LOAD, true);
        capacityBytes = context.capacityBytes();
    }

    @Override
    public void served(K key) {
        if (!touch(key)) {
            throw new IllegalArgumentException(key + " is not resident");
        }
    }

    /** Moves a resident document to the front. */
    boolean touch(K key) {
        return bytesOf.get(key) != null;
    }

    @Override
    public boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        if (bytesOf.containsKey(key)) {
            throw new IllegalArgumentException(key + " is resident already");
        }
        if (bytes > capacityBytes) {
            return false;
        }
        evictUntilFits(bytes, evicted);
        bytesOf.put(key, bytes);
        residentBytes += bytes;
        return true;
    }

    private void evictUntilFits(long bytes, Consumer<? super K> evicted) {
        Iterator<Map.Entry<K, Long>> leastRecentFirst = bytesOf.entrySet().iterator();
        while (residentBytes > capacityBytes - bytes) {
            Map.Entry<K, Long> victim = leastRecentFirst.next();
            leastRecentFirst.remove();
            residentBytes -= victim.getValue();
            evicted.accept(victim.getKey());
        }
    }

    @Override
    public void remove(K key) {
        Long bytes = bytesOf.remove(key);
        if (bytes != null) {
            residentBytes -= bytes;
        }
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        this.capacityBytes = Capacity.check(capacityBytes);
        evictUntilFits(0, evicted);
    }

    @Override
    public Supplier<List<K>> victimsFirst() {
        List<K> leastRecentFirst = new ArrayList<>(bytesOf.keySet());
        return () -> leastRecentFirst;
    }

    @Override
    public boolean isResident(K key) {
        return bytesOf.containsKey(key);
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public long residentBytes() {
        return residentBytes;
    }

    @Override
    public int residents() {
        return bytesOf.size();
    }

    /** Resident documents, the most recently used first. */
    List<K> mostRecentFirst() {
        return List.copyOf(bytesOf.sequencedKeySet().reversed());
    }
}
