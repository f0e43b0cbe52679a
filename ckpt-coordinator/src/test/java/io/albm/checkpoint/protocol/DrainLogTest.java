// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.Network;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainLogTest {
    @Test
    void aLongDrainIsSampledFromItsBeginToItsEndInBoundedRoom() {
        DrainLog log = new DrainLog(0);
        long last = Duration.ofMinutes(10).toMillis();
        for (long millis = 0; millis <= last; millis += 50) {
            log.sample(4, millis, Network.UNKNOWN, Duration.ofMillis(millis).toNanos());
        }
        List<DrainSample> samples = log.samples();
        assertThat(samples).hasSizeBetween(DrainLog.MOST / 2, DrainLog.MOST);
        assertThat(samples.getFirst().millis()).isZero();
        assertThat(samples.getLast().millis()).isGreaterThan(last * 9 / 10);
        assertThat(samples).isSortedAccordingTo((a, b) -> Long.compare(a.millis(), b.millis()));
        long apart = samples.get(1).millis();
        for (int at = 1; at < samples.size(); at++) {
            assertThat(samples.get(at).millis() - samples.get(at - 1).millis()).isBetween(apart, 2 * apart);
        }
    }
}
