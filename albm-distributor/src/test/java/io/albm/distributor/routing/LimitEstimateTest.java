// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LimitEstimateTest {
    private static final long MIB = 1L << 20;
    private static final long SECOND = 1_000_000_000L;

    private final LimitEstimate estimate = new LimitEstimate();
    private long now;

    @Test
    void aReportInTheMiddleOfABurstChangesNextToNothing() {
        observe(350, 0);
        observe(480, 350);

        assertThat(inMib()).isBetween(350L, 352L);
    }

    @Test
    void anEstimateThatBeganInABurstIsCorrectedAfterIt() {
        observe(480, 350);
        for (int i = 0; i < 8; i++) {
            observe(350, 350);
        }

        assertThat(inMib()).isBetween(350L, 365L);
    }

    @Test
    void whatCameTogetherAndEndedTogetherLooksFreeForAMoment() {
        for (int i = 0; i < 3; i++) {
            observe(350, 0);
        }
        observe(350, 350);
        observe(450, 350);

        assertThat(inMib()).isBetween(350L, 353L);
    }

    @Test
    void averagesTheNoiseOfABusyHost() {
        var random = new SplittableRandom(3);
        for (int i = 0; i < 200; i++) {
            observe(350 + 20 * random.nextGaussian(), 300);
            if (i >= 20) {
                assertThat(inMib()).isBetween(335L, 365L);
            }
        }
    }

    @Test
    void followsWhatElseRunsOnTheHost() {
        for (int i = 0; i < 100; i++) {
            observe(350, 300);
        }
        for (int i = 0; i < 60; i++) {
            observe(200, 150);
        }

        assertThat(inMib()).isBetween(195L, 210L);
    }

    @Test
    void believesANewReportAfterALongSilence() {
        for (int i = 0; i < 100; i++) {
            observe(350, 0);
        }
        now += 3_600 * SECOND;
        observe(200, 0);

        assertThat(inMib()).isBetween(200L, 210L);
    }

    @Test
    void believesAReportThatChanceCannotExplain() {
        for (int i = 0; i < 100; i++) {
            observe(350, 0);
        }
        observe(-20, 0);

        assertThat(inMib()).isEqualTo(-20);
    }

    @Test
    void whatHasJustMovedMayMoveOn() {
        for (int i = 0; i < 100; i++) {
            observe(-20, 0);
        }
        observe(100, 0);
        observe(200, 0);
        observe(350, 0);

        assertThat(inMib()).isBetween(335L, 350L);
    }

    @Test
    void aLateReportMayBeOffByAllThatWasInFlight() {
        for (int i = 0; i < 100; i++) {
            observe(350, 300);
        }
        observe(50, 300);

        assertThat(inMib()).isBetween(330L, 350L);
    }

    @Test
    void believesTheNextReportMoreWhenACostBecomesKnown() {
        for (int i = 0; i < 100; i++) {
            observe(150, 0);
        }
        estimate.revalue(200 * MIB);
        assertThat(inMib()).isEqualTo(250);

        observe(350, 200);
        assertThat(inMib()).isBetween(295L, 350L);
    }

    @Test
    void seesThroughAReportThatCameTooLateToShowWhatBecameKnown() {
        for (int i = 0; i < 100; i++) {
            observe(350, 0);
        }
        estimate.revalue(200 * MIB);
        for (int i = 0; i < 8; i++) {
            observe(350, 200);
        }

        assertThat(inMib()).isBetween(345L, 360L);
    }

    @Test
    void forgets() {
        observe(350, 0);
        estimate.forget();
        observe(100, 0);

        assertThat(inMib()).isEqualTo(100);
    }

    private void observe(double aimMib, long costMib) {
        now += SECOND;
        estimate.observe(aimMib * MIB, costMib * MIB, now);
    }

    private long inMib() {
        return estimate.bytes() / MIB;
    }
}
