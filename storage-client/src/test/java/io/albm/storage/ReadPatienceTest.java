// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadPatienceTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long BOUND = 5_000 * MILLISECOND;

    private final ReadPatience patience = new ReadPatience();

    private void answered(int times, long millis) {
        for (int i = 0; i < times; i++) {
            patience.answered(millis * MILLISECOND);
        }
    }

    @Test
    void waitsLongAtFirst() {
        answered(31, 1);
        assertThat(patience.nanos(BOUND)).isEqualTo(ReadPatience.FIRST_NANOS);
    }

    @Test
    void neverWaitsLongerThanTheBound() {
        assertThat(patience.nanos(7)).isEqualTo(7);
    }

    @Test
    void waitsSeveralTimesWhatNineteenOfTwentyAnswersTake() {
        answered(25, 20);
        answered(7, 30);
        assertThat(patience.nanos(BOUND)).isEqualTo(120 * MILLISECOND);
        answered(250, 100);
        assertThat(patience.nanos(BOUND)).isEqualTo(400 * MILLISECOND);
    }

    @Test
    void isNotImpatientWithAPauseOfFastNodes() {
        answered(64, 1);
        assertThat(patience.nanos(BOUND)).isEqualTo(ReadPatience.LEAST_NANOS);
    }

    private int givesUp() {
        int times = 0;
        while (patience.nanos(BOUND) < BOUND) {
            patience.gaveUp(ReadPatience.LEAST_NANOS);
            times++;
        }
        return times;
    }

    @Test
    void givesUpFewReadsBeforeAnyIsAnswered() {
        assertThat(givesUp()).isEqualTo(4);
    }

    @Test
    void givesUpNoMoreThanOneReadInTwenty() {
        answered(1000, 1);
        assertThat(givesUp()).isEqualTo(16);
        answered(19, 1);
        assertThat(patience.nanos(BOUND)).isEqualTo(BOUND);
        answered(2, 1);
        assertThat(patience.nanos(BOUND)).isLessThan(BOUND);
    }
}
