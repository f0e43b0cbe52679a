// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentMeanTest {
    private final RecentMean mean = new RecentMean();

    @Test
    void isTheMeanOfAllAtFirst() {
        assertThat(mean.value()).isNaN();
        mean.look(0, 0);
        assertThat(mean.value()).isNaN();
        mean.look(60, 3);

        assertThat(mean.value()).isEqualTo(20);
    }

    @Test
    void goesOnAfterATotalThatWasTooHighIsTakenBack() {
        mean.look(10_000, 1_000);
        mean.look(20_000, 2_000);
        mean.look(10_000, 1_000);
        assertThat(mean.value()).isEqualTo(10);
        mean.look(10_500, 1_001);

        assertThat(mean.value()).isGreaterThan(10);
    }
}
