// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.storage.StripeGeometry;
import org.junit.jupiter.api.Test;

class RebuildModeTest {
    private static final StripeGeometry FOUR_PLUS_TWO = Layout.striped(4, 2).geometry();

    @Test
    void aReplacementIsAsFastAsItsDisk() {
        assertThat(hours(RebuildMode.IN_PLACE, 100, 1000)).isCloseTo(36_000 / 100.0, within(1e-9));
    }

    @Test
    void aReplacementIsAsFastAsItsNetworkBringsInKTimesAsMuch() {
        assertThat(hours(RebuildMode.IN_PLACE, 1000, 100)).isCloseTo(4 * 36_000 / 100.0, within(1e-9));
    }

    @Test
    void takersShareReadingAndWriting() {
        assertThat(hours(RebuildMode.MANY_TAKERS, 100, 1000)).isCloseTo(36_000 / 10.0 * 5 / 100, within(1e-9));
        assertThat(hours(RebuildMode.MANY_TAKERS, 1000, 100)).isCloseTo(36_000 / 10.0 * 4 / 100, within(1e-9));
    }

    @Test
    void rebuildsAtTheSameTimeShareTheTakersThatAreUp() {
        assertThat(RebuildMode.MANY_TAKERS.speed(1, 10, 11)).isEqualTo(1);
        assertThat(RebuildMode.MANY_TAKERS.speed(2, 5, 11)).isEqualTo(0.25);
        assertThat(RebuildMode.IN_PLACE.speed(2, 5, 11)).isEqualTo(1);
    }

    private static double hours(RebuildMode mode, double disk, double network) {
        return mode.transferHours(new ClusterModel(11, 1, 36_000 * 3600.0, disk, network, 0), FOUR_PLUS_TWO);
    }
}
