// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JustInTimeTest {
    @Test
    void findsTheCompilersOfThisJvm() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        assertThat(JustInTime.cpuTime(self.pid()))
                .isPositive()
                .isLessThan(self.info().totalCpuDuration().orElseThrow());
    }
}
