// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Offset<Double> ROUNDED = Offset.offset(10.0);

    private final Answers answers = new Answers(10 * SECOND, 12 * SECOND);

    @Test
    void countsWhatEndsWhileItCounts() {
        answers.answered(8 * SECOND, 9 * SECOND);
        answers.answered(9 * SECOND, 11 * SECOND);
        answers.answered(11 * SECOND, 12 * SECOND);
        answers.answered(11 * SECOND, 13 * SECOND);
        assertThat(answers.count()).isEqualTo(2);
        assertThat(answers.perSecond()).isEqualTo(1);
        assertThat(answers.meanMillis()).isCloseTo(1_500, ROUNDED);
        assertThat(answers.millisAt(99)).isCloseTo(2_000, ROUNDED);
    }

    @Test
    void tellsWhatCameInTimeFromWhatDidNot() {
        answers.answered(9 * SECOND, 11 * SECOND);
        answers.answered(11 * SECOND, 11 * SECOND + 1);
        assertThat(answers.perSecondWithin(Duration.ofSeconds(1))).isEqualTo(0.5);
        assertThat(answers.laterThan(Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void everyFailureCounts() {
        answers.failed("refused");
        answers.failed("refused");
        assertThat(answers.failures()).isEqualTo(2);
        assertThat(answers.failuresByReason()).containsEntry("refused", 2);
    }
}
