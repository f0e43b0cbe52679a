// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

/**
 * How much memory documents may take, by the capacity alone. All of it together is the hard bound of a cache server.
 *
 * @param residentBytes the capacity: most bytes of documents that are kept, at least 0
 */
public record MemoryBounds(long residentBytes) {

    private static final long LEAST_TRANSIT_BYTES = 8 << 20;
    private static final int LARGEST_SHARE = 4;
    private static final int MOST_STREAMS = 128;

    /** What one buffer can hold. */
    private static final long LARGEST_BUFFER = Integer.MAX_VALUE - (1L << 16);

    public MemoryBounds {
        if (residentBytes < 0) {
            throw new IllegalArgumentException("capacity is " + residentBytes + " bytes; expected 0 or more");
        }
    }

    /** Most bytes outside the cache: what is read, streamed, or evicted while it is sent. */
    public long transitBytes() {
        return Math.max(LEAST_TRANSIT_BYTES, residentBytes / 10);
    }

    /** The largest document that is kept; a larger one is streamed. */
    public long largestKeptBytes() {
        return Math.min(Math.min(transitBytes() / LARGEST_SHARE, LARGEST_BUFFER), residentBytes);
    }

    /** Most documents streamed at once: together they hold at most half of the memory in transit. */
    public int streams() {
        return (int) Math.min(MOST_STREAMS, transitBytes() / 2 / StoreSettings.CHUNK_BYTES);
    }

    /**
     * Bytes to keep free in transit while the bounds shrink, so that neither is passed: for what has to be evicted, which
     * is less than the difference and one document, and for the part of transit that goes.
     */
    long headroomToShrinkTo(MemoryBounds smaller) {
        long less = residentBytes - smaller.residentBytes;
        return less + largestKeptBytes() + transitBytes() - smaller.transitBytes();
    }

    /** Both accounts together. */
    public long totalBytes() {
        return residentBytes + transitBytes();
    }
}
