// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A policy that gives every resident document a value and evicts the least valuable. O(log residents) a request. */
abstract class HeapPolicy<K> implements EvictionPolicy<K> {

    private final VictimHeap<K> heap;

    HeapPolicy(PolicyContext<K> context) {
        heap = new VictimHeap<>(context.capacityBytes(), context.expectedDocuments());
    }

    /** What a document is worth after this request for it; {@code entry.requests} counts it already. */
    abstract double valueOf(VictimHeap.Entry<K> entry);

    /** A document of this value was evicted. */
    void lost(double value) {}

    @Override
    public final void served(K key) {
        VictimHeap.Entry<K> entry = heap.get(key);
        entry.requests++;
        heap.value(entry, valueOf(entry));
    }

    @Override
    public final boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        VictimHeap.Entry<K> entry = heap.add(key, bytes, victim -> evict(victim, evicted));
        if (entry == null) {
            return false;
        }
        heap.value(entry, valueOf(entry));
        return true;
    }

    private void evict(VictimHeap.Entry<K> victim, Consumer<? super K> evicted) {
        lost(victim.value());
        evicted.accept(victim.key());
    }

    @Override
    public final void remove(K key) {
        heap.remove(key);
    }

    @Override
    public final void resize(long capacityBytes, Consumer<? super K> evicted) {
        heap.resize(capacityBytes, victim -> evict(victim, evicted));
    }

    @Override
    public final Supplier<List<K>> victimsFirst() {
        return heap.leastValuableFirst();
    }

    @Override
    public final void inherit(K key, long bytes, long requests) {
        VictimHeap.Entry<K> entry = heap.add(key, bytes, victim -> {
            throw new AssertionError("there was room for " + key + ", but " + victim.key() + " had to go");
        });
        if (entry == null) {
            throw new AssertionError("there was room for " + key + ", but it was refused");
        }
        entry.requests = (int) Math.min(requests, Integer.MAX_VALUE);
        heap.value(entry, valueOf(entry));
    }

    @Override
    public final boolean isResident(K key) {
        return heap.find(key) != null;
    }

    @Override
    public final long capacityBytes() {
        return heap.capacityBytes();
    }

    @Override
    public final long residentBytes() {
        return heap.bytes();
    }

    @Override
    public final int residents() {
        return heap.size();
    }
}
