// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * The seeds that a simulation is run with: as many as every build takes, more by {@code -Dalbm.sim.seeds=N}, in pieces
 * from {@code -Dalbm.sim.first=N} on, one alone by {@code -Dalbm.sim.seed=N}.
 *
 * @param first the lowest
 * @param count how many
 */
public record SimSeeds(long first, long count) {
    /** Who runs fewer does not wait for long. */
    private static final long MANY = 10_000;

    private static final int LINES = 20;

    /**
     * What the properties say.
     *
     * @param usually how many seeds if they say nothing
     */
    public static SimSeeds orUsually(long usually) {
        Long one = Long.getLong("albm.sim.seed");
        return one == null
                ? new SimSeeds(Long.getLong("albm.sim.first", 0), Long.getLong("albm.sim.seeds", usually))
                : new SimSeeds(one, 1);
    }

    /** All of them, over all cores. */
    public LongStream all() {
        return LongStream.range(first, first + count).parallel();
    }

    /**
     * Runs a world for each, over all cores. Of very many, prints how far it is.
     *
     * @param world throws if something does not hold there
     */
    public void run(LongConsumer world) {
        long begun = System.nanoTime();
        LongAdder ended = new LongAdder();
        all().forEach(seed -> {
            world.accept(seed);
            ended.increment();
            tell(ended.sum(), Duration.ofNanos(System.nanoTime() - begun));
        });
    }

    @SuppressWarnings("SystemOut") // for who watches the build
    private void tell(long done, Duration since) {
        if (count >= MANY && done % (count / LINES) == 0) {
            System.out.printf(
                    "seeds: %d of %d, %d per second%n", done, count, done * 1000 / Math.max(1, since.toMillis()));
        }
    }
}
