// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.Counter.Tolerance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DeadBandTest {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final DeadBand deadBand =
            new DeadBand(List.of(new Tolerance(4, 0.1), new Tolerance(0.5, 0)), PERIOD, HEARTBEAT);

    @Test
    void publishesTheFirstSample() {
        assertThat(at(-7, 0, 0)).isTrue();
    }

    @Test
    void keepsStillWithinTheBand() {
        at(0, 100, 1);
        assertThat(at(2, 110, 1.5)).isFalse();
        assertThat(at(3, 90, 0.5)).isFalse();
    }

    @Test
    void publishesWhenAnyCounterLeavesItsBand() {
        at(0, 100, 1);
        assertThat(at(2, 100, 1.6)).isTrue();
        assertThat(at(4, 89.9, 1.6)).isTrue();
    }

    @Test
    void theWiderOfAbsoluteAndRelativeBandHolds() {
        at(0, 10, 0);
        assertThat(at(2, 13.9, 0)).isFalse();
        assertThat(at(3, 14.1, 0)).isTrue();
    }

    @Test
    void slowDriftIsMeasuredFromWhatWasPublished() {
        at(0, 100, 0);
        assertThat(at(2, 106, 0)).isFalse();
        assertThat(at(3, 112, 0)).isTrue();
    }

    @Test
    void atMostOneReportInAPeriod() {
        at(0, 100, 0);
        assertThat(at(0.9, 200, 0)).isFalse();
        assertThat(at(1, 200, 0)).isTrue();
    }

    @Test
    void theHeartbeatSpeaksThoughNothingChanges() {
        at(0, 100, 0);
        assertThat(at(9.9, 100, 0)).isFalse();
        assertThat(at(10, 100, 0)).isTrue();
        assertThat(at(10.1, 100, 0)).isFalse();
    }

    @Test
    void monotonicTimeMayOverflow() {
        assertThat(deadBand.publishes(Long.MAX_VALUE, new double[] {1, 1})).isTrue();
        assertThat(deadBand.publishes(Long.MIN_VALUE, new double[] {1, 1})).isFalse();
        assertThat(deadBand.publishes(Long.MIN_VALUE + HEARTBEAT.toNanos(), new double[] {1, 1}))
                .isTrue();
    }

    @Test
    void publishesACounterThatAppearsOrVanishes() {
        at(0, 100, Double.NaN);
        assertThat(at(2, 100, Double.NaN)).isFalse();
        assertThat(at(3, 100, 0)).isTrue();
        assertThat(at(5, 100, Double.NaN)).isTrue();
    }

    private boolean at(double seconds, double... values) {
        return deadBand.publishes((long) (seconds * TimeUnit.SECONDS.toNanos(1)), values);
    }
}
