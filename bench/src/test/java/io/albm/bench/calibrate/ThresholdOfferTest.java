// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.node.Counter;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdOfferTest {
    private static final Map<String, String> BEFORE = Map.of("policy", "albm");
    private static final Thresholds FOUND = Thresholds.of(new Threshold(Counter.RUN_QUEUE_LENGTH, 8, 6));

    private final StringWriter notes = new StringWriter();
    private Map<String, String> settings = BEFORE;
    private String asked = "";

    private int offer(@Nullable Prompt somebody, Thresholds found) {
        return new ThresholdOffer(somebody, change -> settings = change.apply(settings), new PrintWriter(notes, true))
                .of(found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"y", "Y", "yes", " Yes "})
    void writesAfterAYes(String answer) {
        assertThat(offer(question -> answer, FOUND)).isEqualTo(ExitCode.DONE);
        assertThat(settings)
                .containsAllEntriesOf(BEFORE)
                .containsKeys("threshold.run-queue-length.relieve", "threshold.run-queue-length.recover");
        assertThat(notes.toString()).contains("written: run-queue-length", "threshold reset");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "n", "no", "yse", "j"})
    void writesNothingAfterAnythingElseOrTheEndOfInput(@Nullable String answer) {
        Prompt somebody = question -> {
            asked = question;
            return answer;
        };
        assertThat(offer(somebody, FOUND)).isEqualTo(ExitCode.DONE);
        assertThat(settings).isEqualTo(BEFORE);
        assertThat(asked).isEqualTo("write these thresholds to the cluster? [y/N] ");
        assertThat(notes.toString()).contains("nothing is written", "albm threshold set");
    }

    @Test
    void asksNobodyWhoHasSaidYesAlready() {
        assertThat(offer(null, FOUND)).isEqualTo(ExitCode.DONE);
        assertThat(settings).hasSize(BEFORE.size() + 2);
    }

    @Test
    void hasNothingToOfferWithoutACounterThatTells() {
        assertThat(offer(question -> "y", Thresholds.of())).isEqualTo(ExitCode.FAILED);
        assertThat(settings).isEqualTo(BEFORE);
    }
}
