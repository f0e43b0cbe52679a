// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.report.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellTest {
    @Test
    void everyRunIsALineOfValues() {
        Runs<Cell> runs = new Runs<>(
                List.of(new Cell("albm", 1, 1, 10, 5, 9, 0, 0), new Cell("haproxy leastconn", 36, 1, 50, 5, 9, 2, 1)));
        assertThat(runs.csv(Cell.HEADER).lines())
                .hasSize(3)
                .startsWith("variant,clients,round,goodput_per_second,p50_ms,p99_ms,late,failed")
                .endsWith("haproxy leastconn,36,1,50.00,5,9,2,1");
    }
}
