// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.EvictionPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The residents on their way from one policy to the next, a bounded number at a time, while requests are served: the old
 * policy decides until all have moved, and the next one hears what happens to those it has. What comes meanwhile moves
 * last; what goes meanwhile does not move.
 *
 * <p>A request for a document that has not moved yet is not told to the next policy: in its order the document then has
 * the place that it had when the handover began.
 *
 * <p>Guarded by the lock of its {@link ResidentSet}, but for {@link #sort}.
 */
final class Handover<K> {

    private final String name;
    private final EvictionPolicy<K> next;
    private final Supplier<List<K>> victimsFirst;
    private final Queue<K> newcomers = new ArrayDeque<>();
    private List<K> lastFirst = List.of();

    Handover(String name, EvictionPolicy<K> old, EvictionPolicy<K> next) {
        this.name = name;
        this.next = next;
        victimsFirst = old.victimsFirst();
    }

    /** Finds the order in which documents move, which takes long: to be called once, before the first step, without the lock. */
    void sort() {
        List<K> order = new ArrayList<>(victimsFirst.get());
        Collections.reverse(order);
        lastFirst = order;
    }

    /** Moves some of the residents, and says whether all have moved. */
    boolean move(int most, Map<K, ? extends Resident> residents) {
        for (int moved = 0; moved < most && isUnfinished(); moved++) {
            K key = lastFirst.isEmpty() ? newcomers.remove() : lastFirst.removeLast();
            Resident resident = residents.get(key);
            if (resident != null && !next.isResident(key)) {
                next.inherit(key, resident.bytes(), 1 + resident.requests());
            }
        }
        return !isUnfinished();
    }

    private boolean isUnfinished() {
        return !lastFirst.isEmpty() || !newcomers.isEmpty();
    }

    /** A counted request waits for a document. */
    void arrived(K key) {
        next.arrived(key);
    }

    /** A request was answered with a resident. */
    void served(K key) {
        if (next.isResident(key)) {
            next.served(key);
        }
    }

    /** A document was admitted. */
    void came(K key) {
        newcomers.add(key);
    }

    /** A resident was evicted or dropped. */
    void went(K key) {
        next.remove(key);
    }

    /** The policy that has all residents in the end. */
    EvictionPolicy<K> next() {
        return next;
    }

    /** What it is called. */
    String name() {
        return name;
    }
}
