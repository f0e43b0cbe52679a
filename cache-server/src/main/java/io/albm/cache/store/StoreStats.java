// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * What the store counts. Written with adders on hot paths, read by metrics; a reading is not a snapshot of one
 * moment.
 */
public final class StoreStats {

    final LongAdder requests;
    final LongAdder requestedBytes;
    final LongAdder reads;
    final LongAdder readBytes;
    final LongAdder coalesced;
    final LongAdder announced;
    final LongAdder evictions;
    final LongAdder shrinkings;
    final LongAdder purges;
    final LongAdder changes;
    final LongAdder refusedAdmissions;
    final LongAdder busy;
    final LongAdder failures;
    private final LongConsumer readNanos;

    /** Makes the counter of a name, with one sentence of help; arguments are name, help and tags. */
    @FunctionalInterface
    public interface Counters {
        LongAdder counter(String name, String help, String... tags);
    }

    /** Without a record of how long reads take. */
    public StoreStats(Counters counters) {
        this(counters, nanos -> {});
    }

    /**
     * @param readNanos is told how long each reading of a whole document took, by any thread
     */
    public StoreStats(Counters counters, LongConsumer readNanos) {
        this.readNanos = readNanos;
        requests = counters.counter("cache_requests_total", "Requests answered with a document.");
        requestedBytes = counters.counter(
                "cache_requested_bytes_total", "Bytes of the documents that requests were answered with.");
        reads = counters.counter("cache_reads_total", "Documents read from the source, streamed ones included.");
        readBytes = counters.counter("cache_read_bytes_total", "Bytes of the documents read from the source.");
        coalesced = counters.counter("cache_coalesced_total", "Requests that joined a read already under way.");
        announced = counters.counter(
                "cache_announced_total", "Requests that distributors said were waiting for one of their backends.");
        evictions = evictions(counters, "room");
        shrinkings = evictions(counters, "resize");
        purges = evictions(counters, "purge");
        changes = evictions(counters, "change");
        refusedAdmissions =
                counters.counter("cache_refused_admissions_total", "Documents read and served, but not kept.");
        busy = counters.counter(
                "cache_busy_total",
                "Requests refused, or not looked for in another coding, because a bound was reached.");
        failures = counters.counter("cache_failures_total", "Requests whose document could not be read.");
    }

    private static LongAdder evictions(Counters counters, String cause) {
        return counters.counter(
                "cache_evictions_total",
                "Documents that left main memory, by cause: room for others, a smaller capacity, an operator's purge, a"
                        + " change of the file.",
                "cause",
                cause);
    }

    /** Counts requests answered with a document, or part of it. */
    public void countServed(long bytes, int times) {
        requests.add(times);
        requestedBytes.add(bytes * times);
    }

    /** A whole document was read into memory, from opening it to its last byte. */
    void readTook(long nanos) {
        readNanos.accept(nanos);
    }

    /** Counts readings of a document from the source. */
    public void countRead(long bytes, int times) {
        reads.add(times);
        readBytes.add(bytes * times);
    }

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

    /** Documents evicted to make room for others. */
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

    /** Requests refused, or not looked for in another coding, because a bound was reached. */
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
