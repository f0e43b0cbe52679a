// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RateTest {
    private static final long SECOND = 1_000_000_000;

    private final Rate rate = new Rate();

    @Test
    void isWhatWasAddedPerSecond() {
        assertThat(rate.update(0, 100)).isZero();
        assertThat(rate.update(SECOND / 2, 150)).isEqualTo(100);
    }

    @Test
    void aCountThatStepsBackIsNoRate() {
        rate.update(0, 100);
        assertThat(rate.update(SECOND, 40)).isZero();
        assertThat(rate.update(2 * SECOND, 50)).isEqualTo(10);
    }

    @Test
    void withoutTimeTheLastRateStands() {
        rate.update(0, 0);
        rate.update(SECOND, 5);
        assertThat(rate.update(SECOND, 500)).isEqualTo(5);
    }
}
