// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundShareTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long QUIET = BackgroundShare.QUIET_MILLIS * MILLI;

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - 50 * MILLI;

    private final BackgroundShare share = new BackgroundShare(now);

    @Test
    void takesAllOfANodeThatNobodyElseUses() {
        for (int i = 0; i < BackgroundShare.IDLE_TURNS; i++) {
            assertThat(share.begin(now)).isZero();
        }
        assertThat(share.begin(now)).isPositive();
        share.ends(now, now + MILLI);
        assertThat(share.begin(now + MILLI)).isZero();
    }

    @Test
    void runsOneAtATimeWhileAForegroundRequestIsUnderWay() {
        share.foregroundBegins();
        assertThat(share.begin(now)).isZero();
        assertThat(share.begin(now)).isPositive();
        assertThat(share.begin(now + 1000 * MILLI)).isPositive();
    }

    @Test
    void takesAFifthOfTheTimeWhileThereIsForegroundWork() {
        assertThat(workedInASecond()).isBetween(190 * MILLI, 220 * MILLI);
    }

    @Test
    void takesLessWhereProcessorsAreShort() {
        share.processorsStalled(0.5);
        assertThat(workedInASecond()).isBetween(100 * MILLI, 125 * MILLI);
        share.processorsStalled(1);
        assertThat(workedInASecond()).isBetween(70 * MILLI, 90 * MILLI);
        share.processorsStalled(0);
        assertThat(workedInASecond()).isBetween(180 * MILLI, 220 * MILLI);
    }

    private long workedInASecond() {
        share.foregroundBegins();
        long end = now + 1000 * MILLI;
        long worked = 0;
        while (now - end < 0) {
            long wait = share.begin(now);
            if (wait == 0) {
                long took = (7 + worked % 5) * MILLI;
                share.ends(now, now + took);
                worked += took;
                now += took;
            } else {
                now += wait;
            }
        }
        return worked;
    }

    @Test
    void countsWhatItTakesToSendTheAnswer() {
        share.foregroundBegins();
        assertThat(share.begin(now)).isZero();
        share.ends(now, now + MILLI);
        share.sent(now, now + 10 * MILLI);
        now += 10 * MILLI;
        assertThat(share.begin(now)).isEqualTo(40 * MILLI);
    }

    @Test
    void takesWhoReadsOneBlockAfterTheOtherForPresentInBetween() {
        share.foregroundBegins();
        assertThat(share.begin(now)).isZero();
        share.foregroundEnds(now);
        share.ends(now, now + 10 * MILLI);
        now += 10 * MILLI;
        assertThat(share.begin(now)).isEqualTo(40 * MILLI);
        now += QUIET;
        assertThat(share.begin(now)).as("when it has been quiet").isZero();
    }

    @Test
    void goesOnHoweverSlowTheDiskIs() {
        share.foregroundBegins();
        assertThat(share.begin(now)).isZero();
        share.ends(now, now + 60_000 * MILLI);
        now += 60_000 * MILLI;
        assertThat(share.begin(now)).isEqualTo(BackgroundShare.MAX_PAUSE_NANOS);
        assertThat(share.begin(now + BackgroundShare.MAX_PAUSE_NANOS)).isZero();
    }
}
