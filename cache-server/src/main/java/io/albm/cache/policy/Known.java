// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import org.jspecify.annotations.Nullable;

/** What {@link WindowAwarePolicy} remembers of one document, resident or not. Written by its package only. */
final class Known<K> {

    /** The place of one that is not in {@link KnownDocuments} any more: beyond all others. */
    static final int FORGOTTEN = Integer.MAX_VALUE;

    // A request looks at these of two documents drawn at random. As the first number and the first two long ones they
    // stand beside each other, and so mostly in one cache line.

    /** What {@link ReuseDistances} takes it for; kept here because it is asked for at every choice. */
    int kind = ReuseDistances.NO_KIND;

    /** When its last request was served, on the policy's clock. */
    long lastRequest;

    /** Units of its kind's age per request. */
    double perRequest;

    /** Moving average of the distances between requests; no meaning before the second one. */
    double gap;

    long bytes;

    /** Requests that were served, from memory or not. */
    int requests;

    final K key;

    /** What it takes to remember the key. */
    final int nameBytes;

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
