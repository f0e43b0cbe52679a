// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunTest {
    @Test
    void tellsEfficiencyAndRateApart() {
        Run run = new Run(1000, 2, 0.5);
        assertThat(run.requestsPerSecond()).isEqualTo(500);
        assertThat(run.requestsPerCpuSecond()).isEqualTo(2000);
        assertThat(run.cpuMicrosPerRequest()).isEqualTo(500);
    }
}
