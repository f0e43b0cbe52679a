// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import org.jspecify.annotations.Nullable;

/** What {@link WindowAwarePolicy} remembers of one document, resident or not. Written by its package only. */
final class Known<K> {

    /** The place of one that is not in {@link KnownDocuments} any more: beyond all others. */
    static final int FORGOTTEN = Integer.MAX_VALUE;

    // One of a million documents is met in main memory, so its size counts: 64 bytes.

    final K key;

    long bytes;

    /** When its last request was served, on the policy's clock. */
    long lastRequest;

    /** Requests that were served, from memory or not. */
    int requests;

    /** Moving average of the distances between requests; no meaning before the second one. */
    float gap;

    /** In how many requests the next one is thought to come; stands until {@link #told}. */
    float distance;

    /** The last arrival, as its lower 32 bits, before which {@link ReuseDistances} need not be asked again. */
    int told;

    /** Whether a request for it entered the window, or was announced, and may still wait there. */
    boolean maybeAwaited;

    /** Index in the dense array of {@link KnownDocuments}. */
    int place;

    /** Neighbours in the history of documents that are not resident. */
    @Nullable
    Known<K> older;

    @Nullable
    Known<K> newer;

    Known(K key) {
        this.key = key;
    }
}
