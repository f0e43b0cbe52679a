// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.Counter;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ThresholdSettingsTest {
    private static final Thresholds BOTH = Thresholds.OF_PAPER.with(new Threshold(Counter.CPU_BUSY, 0.95, 0.8));

    @Test
    void readsTheListThatItWrites() {
        assertThat(ThresholdSettings.text(BOTH)).isEqualTo("available-memory=100MiB:130MiB,cpu-busy=0.95:0.8");
        assertThat(ThresholdSettings.parse(ThresholdSettings.text(BOTH))).isEqualTo(BOTH);
        assertThat(ThresholdSettings.parse(" cpu-busy = 95% : 80% ,available-memory=100MiB:130MiB"))
                .isEqualTo(BOTH);
        assertThat(ThresholdSettings.parse("")).isEqualTo(Thresholds.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu-busy", "cpu-busy=0.9", "cpu-bussy=0.9:0.8", "cpu-busy=0.8:0.9", "cpu-busy=2:1"})
    void refusesWhatIsNoList(String list) {
        assertThatIllegalArgumentException().isThrownBy(() -> ThresholdSettings.parse(list));
    }

    @Test
    void liveSettingsGoBeforeThoseOfTheStart() {
        assertThat(ThresholdSettings.inForce(ThresholdSettings.settings(BOTH), Thresholds.of()))
                .isEqualTo(BOTH);
        assertThat(ThresholdSettings.inForce(Map.of("policy", "hash", "threshold.cpu-busy.recover", "70%"), BOTH))
                .isEqualTo(BOTH.with(new Threshold(Counter.CPU_BUSY, 0.95, 0.7)));
        assertThat(ThresholdSettings.inForce(Map.of(), BOTH)).isEqualTo(BOTH);
    }

    @Test
    void oneLevelAloneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ThresholdSettings.inForce(Map.of("threshold.cpu-busy.relieve", "90%"), Thresholds.OF_PAPER))
                .withMessageContaining("threshold.cpu-busy.recover is not set");
    }
}
