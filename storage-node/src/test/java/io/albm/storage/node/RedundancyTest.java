// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.ScrubProgress;
import io.albm.storage.ScrubReport;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RedundancyTest {
    private final Redundancy redundancy = new Redundancy();

    @Test
    void estimatesARebuildByItsSpeedSoFar() {
        redundancy.begins(true, seconds(100));
        redundancy.goesOn(new ScrubProgress(250, 1000, 250, 1));
        assertThat(redundancy.degradedStripes()).isEqualTo(750);
        assertThat(redundancy.secondsLeft(seconds(110))).isEqualTo(30);
        redundancy.ends(report(1000, 1000));
        assertThat(redundancy.degradedStripes()).isZero();
        assertThat(redundancy.secondsLeft(seconds(140))).isZero();
    }

    @Test
    void keepsWhatAScrubCouldNotRepairUntilTheNextOne() {
        redundancy.begins(false, 0);
        redundancy.goesOn(new ScrubProgress(10, 1000, 3, 1));
        assertThat(redundancy.degradedStripes()).as("of a scrub that goes on").isZero();
        redundancy.ends(report(7, 5));
        assertThat(redundancy.degradedStripes()).isEqualTo(2);
        assertThat(redundancy.secondsLeft(seconds(1))).isNaN();
        redundancy.begins(false, seconds(2));
        assertThat(redundancy.degradedStripes()).isEqualTo(2);
        redundancy.ends(report(2, 2));
        assertThat(redundancy.degradedStripes()).isZero();
    }

    private static long seconds(int count) {
        return TimeUnit.SECONDS.toNanos(count);
    }

    private static ScrubReport report(long missing, long repaired) {
        return new ScrubReport(1, 1000, missing, 0, repaired, 1, 0, 0, List.of(), List.of());
    }
}
