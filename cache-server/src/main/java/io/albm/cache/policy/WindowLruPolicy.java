// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The window-aware caching of paper P2, sections 2 and 2.1.
 *
 * <p>A busy server holds tens to hundreds of requests at once, its scheduling window. The documents that these want
 * <em>are</em> the near future, which recency only guesses at: evicting one of them buys a miss that was already
 * known. So a request that waits outranks recency. The paper scans the window; each waiting request whose document is
 * cached moves that document to the front of the list; when the whole window has been adjusted, its requests are
 * served, and replacement is plain LRU. With the list A B C D E (most recently used first) and the window F, C, G, E
 * this saves one of LRU's three misses, because E is moved away from the end before F needs its place.
 *
 * <p>Here the scan is spread over the arrivals: a request adjusts the list once, when it enters the window, before any
 * later request is served. That is the paper's scan exactly, in the paper's order, at O(1) per request instead of one
 * pass over the window, and needs no bitmap. A document that becomes resident while requests wait for it enters at
 * the front anyway.
 *
 * <p>A request beyond the window's bound is not counted and does not adjust. What the policy does not do: it keeps no
 * document for the requests of a window longer than the list (a pin would; it would also let the waiting documents
 * push all others out), and it does not look at sizes.
 */
final class WindowLruPolicy<K> implements EvictionPolicy<K> {

    private final LruPolicy<K> list;

    WindowLruPolicy(PolicyContext<K> context) {
        list = new LruPolicy<>(context);
    }

    @Override
    public void arrived(K key) {
        list.touch(key);
    }

    @Override
    public void served(K key) {
        list.served(key);
    }

    @Override
    public boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        return list.admit(key, bytes, evicted);
    }

    @Override
    public void remove(K key) {
        list.remove(key);
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        list.resize(capacityBytes, evicted);
    }

    @Override
    public Supplier<List<K>> victimsFirst() {
        return list.victimsFirst();
    }

    @Override
    public boolean isResident(K key) {
        return list.isResident(key);
    }

    @Override
    public long capacityBytes() {
        return list.capacityBytes();
    }

    @Override
    public long residentBytes() {
        return list.residentBytes();
    }

    @Override
    public int residents() {
        return list.residents();
    }

    /** Resident documents, the most recently used or wanted first. */
    List<K> mostRecentFirst() {
        return list.mostRecentFirst();
    }
}
