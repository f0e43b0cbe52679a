// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HazardsTest {

    private final Hazards hazards = new Hazards(0, 16);

    /** So many requests at an age, among documents that were of that age for so long. */
    private void seen(double age, int requests, double exposure) {
        hazards.exposed(age, exposure);
        for (int i = 0; i < requests; i++) {
            hazards.requested(age, 1);
        }
    }

    @Test
    void thinksTheNextRequestAsFarAwayAsTheLastOneUntilItLearns() {
        hazards.solvedFor(0, 1);

        for (int exponent = 3; exponent < 12; exponent++) {
            double age = 1.5 * (1 << exponent);
            assertThat(hazards.distance(age)).isCloseTo(age, within(age / 10));
        }
    }

    @Test
    void learnsAConstantHazard() {
        for (int exponent = 0; exponent < 16; exponent++) {
            seen(1 << exponent, 10_000, 500_000);
        }
        hazards.solvedFor(0, 1);

        assertThat(hazards.distance(1)).isCloseTo(50, within(1.0));
        assertThat(hazards.distance(3000)).isCloseTo(50, within(2.0));
    }

    @Test
    void seesTheRequestThatLiesAhead() {
        seen(10, 0, 1_000_000);
        seen(20, 0, 1_000_000);
        seen(40, 100_000, 200_000);
        seen(80, 0, 1_000_000);
        hazards.solvedFor(0, 1);

        assertThat(hazards.distance(10)).isBetween(20.0, 30.0);
        assertThat(hazards.distance(40)).isLessThan(5);
        assertThat(hazards.distance(80)).isGreaterThan(100);
    }

    @Test
    void staysFiniteWhenDocumentsAlmostNeverComeBack() {
        for (int exponent = 0; exponent < 16; exponent++) {
            seen(1 << exponent, 0, 1e18);
        }
        hazards.solvedFor(0, 1);

        assertThat(hazards.distance(1)).isFinite().isGreaterThan(1e10);
    }

    @Test
    void keepsItsDistancesForAPeriod() {
        double prior = hazards.solvedFor(0, 1).distance(10);
        seen(10, 1000, 100_000);
        assertThat(hazards.solvedFor(0, 1).distance(10)).isEqualTo(prior);

        assertThat(hazards.solvedFor(1, 1).distance(10)).isGreaterThan(2 * prior);
    }

    @Test
    void forgetsByHalves() {
        seen(10, 1000, 10_000);
        for (int i = 0; i < 30; i++) {
            hazards.halve();
        }
        hazards.solvedFor(0, 100);

        assertThat(hazards.distance(10)).isCloseTo(100, within(10.0));
    }
}
