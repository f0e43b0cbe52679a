// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

/** In which order documents are read for which requests wait. */
enum ReadOrder {
    /** First come, first read: the order of the cache server. */
    OLDEST_FIRST("hits-first"),

    /** The document for which the most requests wait; of several the oldest. */
    MOST_WAITERS_FIRST("hits-first-most-waiters"),

    /** The smallest: shortest remaining processing time, as documents have known sizes; of several the oldest. */
    SHORTEST_FIRST("hits-first-srpt"),

    /**
     * Paper P2's related work: of a window full of requests those for cached documents first, then all others, oldest
     * first; only then the next window full.
     */
    CACHED_FIRST_BATCH("hits-first-batch");

    private final String mode;

    ReadOrder(String mode) {
        this.mode = mode;
    }

    /** What the results of a simulation in this order are called. */
    String mode() {
        return mode;
    }
}
