// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PacedGrantsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int KIB = 1024;
    private static final double RATE = 1024 * KIB;

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - SECOND / 10;

    private final PacedGrants grants = new PacedGrants((long) RATE, 1);

    @Test
    void givesWhoIsAloneTheWholeRateUntilItsBytesHaveCome() {
        assertThat(grants.waitNanos(turn(128 * KIB, 1), now)).isZero();
        assertThat(grants.grant(null, turn(128 * KIB, 1), now)).isEqualTo(RATE, within(1.0));
        assertThat(grants.waitNanos(turn(128 * KIB, 1), now)).isEqualTo(SECOND / 8 - SECOND / 128);
        now += SECOND / 8;
        assertThat(grants.waitNanos(turn(128 * KIB, 1), now)).isZero();
    }

    @Test
    void grantsTheNextBlockWhileTheLastBytesOfTheOneBeforeAreOnTheirWayAndKeepsItsRate() {
        long begun = now;
        for (int block = 1; block <= 100; block++) {
            grants.grant(null, turn(128 * KIB, 1), now);
            now += grants.waitNanos(turn(128 * KIB, 1), now);
            assertThat(now - begun).isEqualTo(block * SECOND / 8 - SECOND / 128);
        }
    }

    @Test
    void hasNoMoreOfASmallBlockThanAnEighthComeAtTheSameTimeAsTheNext() {
        grants.grant(null, turn(8 * KIB, 1), now);
        assertThat(grants.waitNanos(turn(8 * KIB, 1), now)).isEqualTo(SECOND / 128 - SECOND / 1024);
    }

    @Test
    void givesAllWhoWaitTheSamePart() {
        for (int waiting = 4; waiting > 0; waiting--) {
            assertThat(grants.waitNanos(turn(16 * KIB, waiting), now)).isZero();
            assertThat(grants.grant(null, turn(16 * KIB, waiting), now)).isEqualTo(RATE / 4, within(1.0));
        }
        assertThat(grants.waitNanos(turn(16 * KIB, 1), now)).isEqualTo(SECOND / 16 - SECOND / 128);
    }

    @Test
    void sharesAmongAPartOfTheSendersIfOtherNodesServeTheRest() {
        grants.change((long) RATE, 4);
        assertThat(grants.grant(null, turn(16 * KIB, 64), now))
                .as("a stream for each of 64")
                .isEqualTo(RATE / 16, within(1.0));
        now += SECOND;
        assertThat(grants.grant(null, turn(16 * KIB, 12), now))
                .as("four nodes at once")
                .isEqualTo(RATE / 4, within(1.0));
        now += SECOND;
        assertThat(grants.grant(null, turn(16 * KIB, 3), now)).as("all").isEqualTo(RATE / 3, within(1.0));
    }

    @Test
    void takesWhoComesFirstForOneOfAllWhoWillCome() {
        grants.change((long) RATE, 4);
        PacedGrants.Turn first = new PacedGrants.Turn(16 * KIB, 1, true);
        assertThat(grants.grant(null, first, now)).isEqualTo(RATE / 4, within(1.0));
        assertThat(grants.waitNanos(first, now)).isZero();
        assertThat(grants.grant(null, first, now)).isEqualTo(RATE / 4, within(1.0));
        now += SECOND;
        assertThat(grants.grant(null, turn(16 * KIB, 1), now))
                .as("nobody else came")
                .isEqualTo(RATE, within(1.0));
    }

    @Test
    void hasThoseShareThatTheFanOutLeavesOver() {
        grants.change((long) RATE, 15);
        for (int waiting = 16; waiting > 0; waiting--) {
            assertThat(grants.waitNanos(turn(16 * KIB, waiting), now)).isZero();
            assertThat(grants.grant(null, turn(16 * KIB, waiting), now)).isEqualTo(RATE / 16, within(1.0));
        }
        now += SECOND;
        assertThat(grants.grant(null, turn(16 * KIB, 31), now))
                .as("in two rounds")
                .isEqualTo(RATE / 16, within(1.0));
    }

    @Test
    void doesNotShareSoThinlyThatABlockTakesLongerThanARateIsSetFor() {
        assertThat(grants.grant(null, turn(128 * KIB, 1000), now)).isEqualTo(RATE / 4, within(1.0));
        assertThat(grants.grant(null, turn(1024 * KIB, 1000), now + SECOND)).isEqualTo(RATE, within(1.0));
    }

    @Test
    void usesARestIfTheBlockIsThereSoonerThanAfterAWait() {
        assertThat(grants.grant(null, turn(64 * KIB, 2), now)).isEqualTo(RATE / 2, within(1.0));
        assertThat(grants.grant(null, turn(64 * KIB, 3), now)).isEqualTo(RATE / 4, within(1.0));
        assertThat(grants.grant(null, turn(64 * KIB, 1), now))
                .as("a third is due")
                .isEqualTo(RATE / 4, within(1.0));
        assertThat(grants.waitNanos(turn(64 * KIB, 1), now)).isPositive();
    }

    @Test
    void leavesARestUnusedThatABlockWouldBeLateWith() {
        assertThat(grants.grant(null, turn(64 * KIB, 1), now)).isEqualTo(RATE, within(1.0));
        grants.change((long) (1.25 * RATE), 1);
        long wait = grants.waitNanos(turn(64 * KIB, 1), now);
        assertThat(wait).as("a quarter is left, more than half is due").isEqualTo(SECOND / 16 - SECOND / 128);
        assertThat(grants.grant(null, turn(64 * KIB, 1), now + wait)).isEqualTo(1.25 * RATE, within(1.0));
    }

    @Test
    void waitsUntilALowerRateIsKeptAndGoesOnAtAHigherOneAtOnce() {
        assertThat(grants.grant(null, turn(64 * KIB, 4), now)).isEqualTo(RATE / 4, within(1.0));
        grants.change((long) RATE / 4, 1);
        assertThat(grants.waitNanos(turn(16 * KIB, 1), now)).isEqualTo(SECOND / 4 - SECOND / 32);
        grants.change((long) RATE, 1);
        assertThat(grants.waitNanos(turn(16 * KIB, 1), now)).isZero();
    }

    @Test
    void isUsedToAlmostAllWhoeverAsks() {
        SplittableRandom random = new SplittableRandom(3);
        long begun = now;
        long bytes = 0;
        for (int i = 0; i < 10_000; i++) {
            int block = 32 * KIB + random.nextInt(480 * KIB);
            int waiting = 1 + random.nextInt(20);
            for (long wait = grants.waitNanos(turn(block, waiting), now);
                    wait > 0;
                    wait = grants.waitNanos(turn(block, waiting), now)) {
                now += wait;
            }
            grants.grant(null, turn(block, waiting), now);
            bytes += block;
        }
        assertThat(bytes * 1e9 / (now - begun)).isBetween(0.9 * RATE, 1.001 * RATE);
    }

    private static PacedGrants.Turn turn(int bytes, int waiting) {
        return new PacedGrants.Turn(bytes, waiting, false);
    }
}
