// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.cache.policy.MeasuredReadCost.Objective;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MeasuredReadCostTest {

    private final MeasuredReadCost cost = new MeasuredReadCost(Objective.READ_TIME);
    private final SplittableRandom random = new SplittableRandom(1);

    /** Reads of random sizes on a disk with noise. */
    private void reads(int count, double seekNanos, double nanosPerByte) {
        for (int i = 0; i < count; i++) {
            long bytes = random.nextLong(1_000_000);
            cost.read(bytes, (long) ((seekNanos + nanosPerByte * bytes) * (0.9 + 0.2 * random.nextDouble())));
        }
    }

    @Test
    void learnsSeekAndBandwidthFromReads() {
        reads(2_000, 8_000_000, 10);

        assertThat(cost.line().nanos()).isCloseTo(8_000_000, within(400_000.0));
        assertThat(cost.line().nanosPerByte()).isCloseTo(10, within(0.5));
    }

    @Test
    void followsADiskThatChanges() {
        reads(2_000, 8_000_000, 10);
        reads(8_000, 100_000, 2);

        assertThat(cost.line().nanosPerByte()).isCloseTo(2, within(0.2));
    }

    @Test
    void staysPositiveWhenReadsTellNothingOfSizes() {
        for (int i = 0; i < 100; i++) {
            cost.read(1000, 5);
        }
        assertThat(cost.of(0)).isPositive();
        reads(100, 0, 0);
        assertThat(cost.of(0)).isPositive();
    }

    @Test
    void saysThatAReadCostsAsMuchAs64KibibytesUntilItKnowsBetter() {
        assertThat(cost.of(64 << 10)).isEqualTo(2 * cost.of(0));
    }

    @Test
    void everyReadCostsTheSameForObjectHits() {
        reads(100, 1, 1);
        cost.objective(Objective.OBJECT_HITS);

        assertThat(cost.of(1)).isEqualTo(cost.of(1_000_000));
    }
}
