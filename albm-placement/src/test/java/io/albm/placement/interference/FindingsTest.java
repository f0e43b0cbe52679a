// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FindingsTest {
    @Test
    void theIncreaseIsTheMedianOfThePairs() {
        Findings findings = Findings.of(List.of(
                pair(Disturbance.OVERFLOWS, 100, 130),
                pair(Disturbance.OVERFLOWS, 100, 190),
                pair(Disturbance.OVERFLOWS, 100, 140)));
        Findings.Row row = findings.rows().getFirst();
        assertThat(row.increasePercent()).isCloseTo(40, within(1e-9));
        assertThat(row.lowestPercent()).isCloseTo(30, within(1e-9));
        assertThat(row.highestPercent()).isCloseTo(90, within(1e-9));
        assertThat(row.beyondNoise()).isTrue();
    }

    @Test
    void noiseIsHowFarUndisturbedWindowsStrayFromTheirMedian() {
        Findings findings = Findings.of(List.of(
                pair(Disturbance.CPU, 100, 104), pair(Disturbance.CPU, 95, 99), pair(Disturbance.CPU, 102, 105)));
        assertThat(findings.noisePercent()).isCloseTo(5, within(1e-9));
        assertThat(findings.rows().getFirst().beyondNoise()).isFalse();
    }

    @Test
    void eachDisturbanceIsJudgedByItsOwnPairs() {
        Findings findings = Findings.of(List.of(
                pair(Disturbance.OVERFLOWS, 100, 150),
                pair(Disturbance.FITS, 100, 101),
                pair(Disturbance.CPU, 100, 110)));
        assertThat(findings.rows())
                .extracting(Findings.Row::disturbance)
                .containsExactly(Disturbance.FITS, Disturbance.OVERFLOWS, Disturbance.CPU);
        assertThat(findings.rows())
                .extracting(row -> Math.round(row.increasePercent()))
                .containsExactly(1L, 50L, 10L);
    }

    private static WindowPair pair(Disturbance disturbance, double undisturbedMillis, double disturbedMillis) {
        return new WindowPair(disturbance, window(undisturbedMillis), window(disturbedMillis));
    }

    private static Window window(double countMillis) {
        return new Window(countMillis, 0, 0, 0, 0);
    }
}
