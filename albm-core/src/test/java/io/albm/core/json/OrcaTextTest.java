// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.OrcaReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrcaTextTest {
    private static final double NOT_SAID = Double.NaN;

    @Test
    void readsItsOwnText() {
        var report = new OrcaReport(0.3, 0.6, 0.5, 40, 2);

        assertThat(OrcaText.parse(report.text())).isEqualTo(report);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TEXT cpu_utilization=0.3, rps_fractional=40,named_metrics.queue=7,foo=1",
                "JSON {\"cpu_utilization\": 0.3, \"rps_fractional\": 40}",
                "JSON {\"cpuUtilization\": 0.3, \"rpsFractional\": 40, \"namedMetrics\": {\"queue\": 7}, \"foo\": \"x\"}"
            })
    void readsBothFormatsAndIgnoresNamesThatItDoesNotKnow(String header) {
        assertThat(OrcaText.parse(header)).isEqualTo(new OrcaReport(0.3, NOT_SAID, NOT_SAID, 40, NOT_SAID));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cpu_utilization=0.3",
                "BIN CgkJ",
                "text cpu_utilization=0.3",
                "TEXT cpu_utilization",
                "TEXT cpu_utilization=high",
                "TEXT cpu_utilization=-1",
                "TEXT cpu_utilization=NaN",
                "TEXT rps_fractional=Infinity",
                "JSON {\"cpu_utilization\": \"high\"}",
                "JSON {\"cpu_utilization\": 0.3",
                "JSON 7x"
            })
    void refusesWhatIsNoReport(String header) {
        assertThatIllegalArgumentException().isThrownBy(() -> OrcaText.parse(header));
    }
}
