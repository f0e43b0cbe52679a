// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Generation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which generations were sealed since a listing of all. Who looks for garbage lists, asks the file table, and removes;
 * meanwhile a relocation may have found a use for what was garbage, and it seals what it uses.
 *
 * <p>Bound: of the {@value #MOST_SEALED} that were sealed last each is known, of the others only when the last of them was.
 * Listings of an earlier life of the node are not believed. Thread-safe.
 */
final class Listings {
    static final int MOST_SEALED = 10_000;

    private final long before;
    private final Map<Generation, Long> sealed = new LinkedHashMap<>();
    private long last;
    private long lastForgotten;

    /**
     * @param before below the numbers of this life's listings, and beyond those of earlier lives unless by chance; at least 0
     */
    Listings(long before) {
        this.before = before;
        this.last = before;
        this.lastForgotten = before;
    }

    /** A listing begins. @return its number */
    synchronized long begin() {
        return ++last;
    }

    synchronized void seal(Generation generation) {
        sealed.remove(generation);
        sealed.put(generation, last);
        if (sealed.size() > MOST_SEALED) {
            Map.Entry<Generation, Long> eldest = sealed.entrySet().iterator().next();
            lastForgotten = eldest.getValue();
            sealed.remove(eldest.getKey());
        }
    }

    /** Whether the generation was not sealed since that listing began, as far as is known. */
    synchronized boolean isAsListed(Generation generation, long listing) {
        return before < listing && listing <= last && sealed.getOrDefault(generation, lastForgotten) < listing;
    }
}
