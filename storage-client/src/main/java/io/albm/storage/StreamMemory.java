// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the buffers of a client's streams come from, and how much all of them together may take. A stream that is written has a
 * unit and its parity in memory: the more of these there are, the shorter their units. Beyond that, what is on its way to the
 * nodes and what is read ahead share an amount; who gets no more of it waits for its own writes, or reads what it is asked for
 * and nothing else. Thread-safe.
 */
public final class StreamMemory {
    /** Bytes of units in the making over all streams, as long as these are not so many that the shortest units take more. */
    static final long MOST_WRITTEN_BYTES = 40 << 20;

    /** What a stream may take of the bytes that are left: one in so many. */
    private static final int SHARES = 12;

    /** Bytes on their way, or read ahead and kept after that, over all streams. */
    static final long MOST_SHARED_BYTES = 24 << 20;

    private final ByteBufAllocator allocator;
    private final long mostShared;
    private final AtomicLong shared = new AtomicLong();
    private long written;

    /**
     * What a stream that is written has been given.
     *
     * @param geometry how it cuts its bytes
     * @param bytes what it takes
     */
    record Written(StripeGeometry geometry, long bytes) {}

    StreamMemory(ByteBufAllocator allocator) {
        this(allocator, MOST_SHARED_BYTES);
    }

    /** @param mostShared bytes on their way or read ahead, at least 0 */
    StreamMemory(ByteBufAllocator allocator, long mostShared) {
        this.allocator = allocator;
        this.mostShared = mostShared;
    }

    /** Where their buffers come from. */
    public ByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * Takes what a stream needs to be written, to be {@linkplain #end given back}.
     *
     * @param usual what it is to have if there is memory enough
     * @param expectedBytes how many bytes will come at most; what is no longer than a unit is not counted
     */
    synchronized Written begin(StripeGeometry usual, long expectedBytes) {
        if (expectedBytes <= usual.unitBytes()) {
            return new Written(usual, 0);
        }
        StripeGeometry given = usual;
        while (bytes(given) > (MOST_WRITTEN_BYTES - written) / SHARES && given.canBeHalved()) {
            given = given.halved();
        }
        written += bytes(given);
        return new Written(given, bytes(given));
    }

    private static long bytes(StripeGeometry geometry) {
        return (1L + geometry.parityUnits()) * geometry.unitBytes();
    }

    /** Gives back what a stream took. */
    synchronized void end(Written stream) {
        written -= stream.bytes();
    }

    /** Takes so many bytes of what is shared, to be {@linkplain #give given back}, if there are so many. */
    public boolean take(long bytes) {
        if (shared.addAndGet(bytes) <= mostShared) {
            return true;
        }
        shared.addAndGet(-bytes);
        return false;
    }

    /** Gives back what was taken of what is shared. */
    public void give(long bytes) {
        shared.addAndGet(-bytes);
    }
}
