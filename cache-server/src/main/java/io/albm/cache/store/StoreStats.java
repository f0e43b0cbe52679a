// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the store counts. Written with adders on hot paths, read by metrics; a reading is not a snapshot of one
 * moment.
 */
public final class StoreStats {

    final LongAdder requests = new LongAdder();
    final LongAdder requestedBytes = new LongAdder();
    final LongAdder reads = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder coalesced = new LongAdder();
    final LongAdder evictions = new LongAdder();
    final LongAdder refusedAdmissions = new LongAdder();
    final LongAdder changes = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder failures = new LongAdder();

    /** Requests answered with a document. */
    public long requests() {
        return requests.sum();
    }

    /** Bytes of the documents that requests were answered with. */
    public long requestedBytes() {
        return requestedBytes.sum();
    }

    /** Documents read from the source, streamed ones included. */
    public long reads() {
        return reads.sum();
    }

    /** Bytes of the documents read from the source. */
    public long readBytes() {
        return readBytes.sum();
    }

    /** Requests that joined a read already under way. */
    public long coalesced() {
        return coalesced.sum();
    }

    /** Documents evicted to make room. */
    public long evictions() {
        return evictions.sum();
    }

    /** Documents read and served, but not kept: the policy or the memory in transit had no room. */
    public long refusedAdmissions() {
        return refusedAdmissions.sum();
    }

    /** Cached documents dropped because their file changed or went away. */
    public long changes() {
        return changes.sum();
    }

    /** Requests refused because a bound was reached. */
    public long busy() {
        return busy.sum();
    }

    /** Requests whose document could not be read. */
    public long failures() {
        return failures.sum();
    }

    /** Share of requests that needed no read from the source, 0 to 1; 0 before the first request. */
    public double objectHitRatio() {
        return hitRatio(reads.sum(), requests.sum());
    }

    /** Share of requested bytes that were not read from the source, 0 to 1; 0 before the first request. */
    public double byteHitRatio() {
        return hitRatio(readBytes.sum(), requestedBytes.sum());
    }

    private static double hitRatio(long missed, long asked) {
        return asked == 0 ? 0 : Math.max(0, 1 - (double) missed / asked);
    }
}
