// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;

/**
 * Memory of clients for large frames, and for what goes into them: Netty's pool, direct, with larger chunks. The usual chunk holds
 * three frames of a MiB, and one that is empty for a moment is given back to the system, which has to map and clear every page
 * of the next. So half of all that a client read was read into new pages. Netty's settings ({@code io.netty.allocator.*}) hold for
 * it, but for the kind of the pool; a larger {@code maxOrder} is taken. Thread-safe.
 */
public final class FramePool {
    /** Chunks of 16 MiB, with pages of 8 KiB. */
    private static final int LARGE_ORDER = 11;

    /** A JVM whose direct memory is less than so many large chunks keeps to the usual ones. */
    private static final int LEAST_CHUNKS = 12;

    private static final PooledByteBufAllocator POOL = forMemory(PlatformDependent.maxDirectMemory());

    private FramePool() {}

    /** The one of this JVM. */
    public static ByteBufAllocator allocator() {
        return POOL;
    }

    /** @param directMemory bytes that the JVM may use */
    static PooledByteBufAllocator forMemory(long directMemory) {
        int usual = PooledByteBufAllocator.defaultMaxOrder();
        long large = (long) PooledByteBufAllocator.defaultPageSize() << LARGE_ORDER;
        return new PooledByteBufAllocator(
                true,
                PooledByteBufAllocator.defaultNumHeapArena(),
                PooledByteBufAllocator.defaultNumDirectArena(),
                PooledByteBufAllocator.defaultPageSize(),
                directMemory < LEAST_CHUNKS * large ? usual : Math.max(usual, LARGE_ORDER),
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                PooledByteBufAllocator.defaultUseCacheForAllThreads());
    }
}
