// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Bounds the units that stripes under way are made again from, or moved. Those of nine stripes of the usual 1 MiB and four data
 * units are enough for nodes to read while others write, and few enough that what has come is still in the processor's cache
 * when it is checked and added: with 256 MiB a rebuild cost the node a sixth more processor time. Longer units get more, up to 256 MiB, so that
 * three stripes of 16 MiB and four data units are under way; shorter ones get less, as what many of them ask of a node that lets others go
 * first would wait there past its deadline. Thread-safe.
 */
final class RepairMemory {
    private static final long NEAR_BYTES = 48 << 20;
    private static final long MOST_BYTES = 256 << 20;

    /** So many stripes are under way, unless they would take more than {@link #MOST_BYTES}. */
    private static final int LEAST_STRIPES = 3;

    /** No more are, however short their units. */
    private static final int MOST_STRIPES = 9;

    private final Permits permits = new Permits(NEAR_BYTES);

    /**
     * Runs a step when there is room for it.
     *
     * @param bytes that it holds until it ends; one that takes more than there is runs alone
     */
    <T> CompletableFuture<T> run(long bytes, Supplier<CompletableFuture<T>> step) {
        long near = Math.clamp(bytes, NEAR_BYTES / MOST_STRIPES, NEAR_BYTES / LEAST_STRIPES);
        return permits.run(Math.max(near, bytes * NEAR_BYTES / MOST_BYTES), step);
    }
}
