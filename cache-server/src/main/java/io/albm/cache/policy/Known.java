// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import org.jspecify.annotations.Nullable;

/** What {@link WindowAwarePolicy} remembers of one document, resident or not. Written by its package only. */
final class Known<K> {

    /** The place of one that is not in {@link KnownDocuments} any more: beyond all others. */
    static final int FORGOTTEN = Integer.MAX_VALUE;

    final K key;

    /** What it takes to remember the key. */
    final int nameBytes;

    long bytes;

    /** Requests that were served, from memory or not. */
    int requests;

    /** When the last one was, on the policy's clock. */
    long lastRequest;

    /** Moving average of the distances between requests; no meaning before the second one. */
    double gap;

    /** What is learned of documents like it, kept here because it is asked for at every choice; none before the first request. */
    @Nullable
    Hazards kind;

    /** Units of its kind's age per request. */
    double perRequest;

    /** Whether a request for it entered the window, or was announced, and may still wait there. */
    boolean maybeAwaited;

    /** Index in the dense array of {@link KnownDocuments}. */
    int place;

    /** Neighbours in the history of documents that are not resident. */
    @Nullable
    Known<K> older;

    @Nullable
    Known<K> newer;

    Known(K key, int nameBytes) {
        this.key = key;
        this.nameBytes = nameBytes;
    }
}
