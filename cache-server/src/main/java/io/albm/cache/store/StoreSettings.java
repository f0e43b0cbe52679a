// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import java.time.Duration;

/**
 * The bounds of a {@link DocumentStore}.
 *
 * @param capacityBytes most bytes of resident documents at the start
 * @param policy name of the eviction policy at the start
 * @param windowLimit most requests counted in the scheduling window
 * @param announcedLimit most announced requests remembered there; 0 heeds none
 * @param readers most reads at once
 * @param queuedReads most documents that wait to be read; a request for one more is refused
 * @param checkInterval for how long a document is served without asking whether its file changed: the bound of
 *     staleness
 * @param patience longest wait of a read for memory in transit
 */
public record StoreSettings(
        long capacityBytes,
        String policy,
        int windowLimit,
        int announcedLimit,
        int readers,
        int queuedReads,
        Duration checkInterval,
        Duration patience) {

    /** Bytes read or sent at once of a document that is streamed. */
    public static final int CHUNK_BYTES = 64 << 10;

    public StoreSettings {
        if (capacityBytes < 0 || readers < 1 || queuedReads < 0) {
            throw new IllegalArgumentException("capacity %d, readers %d and queued reads %d must be at least 0, 1 and 0"
                    .formatted(capacityBytes, readers, queuedReads));
        }
    }

    /** The same, where no announcement is heeded. */
    public StoreSettings(
            long capacityBytes,
            String policy,
            int windowLimit,
            int readers,
            int queuedReads,
            Duration checkInterval,
            Duration patience) {
        this(capacityBytes, policy, windowLimit, 0, readers, queuedReads, checkInterval, patience);
    }

    /** The memory that the store starts with. */
    public MemoryBounds memory() {
        return new MemoryBounds(capacityBytes);
    }
}
