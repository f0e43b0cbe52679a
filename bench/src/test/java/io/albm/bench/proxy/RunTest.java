// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunTest {
    @Test
    void tellsEfficiencyAndRateApart() {
        Run run = new Run(1000, 2, 0.5);
        assertThat(run.requestsPerSecond()).isEqualTo(500);
        assertThat(run.requestsPerCpuSecond()).isEqualTo(2000);
        assertThat(run.cpuMicrosPerRequest()).isEqualTo(500);
    }

    @Test
    void medianIsTheMiddleOne() {
        assertThat(Run.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Run.median(List.of(4.0, 1.0, 2.0, 8.0))).isEqualTo(3);
    }
}
