// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatsTextTest {
    private static final String ROWS = """
            [{"pxname": "web", "svname": "FRONTEND", "status": "OPEN", "scur": 3, "stot": 70, "bin": 2048},
             {"pxname": "docs", "svname": "b1", "status": "NOLB", "albm_state": "relieved", "qcur": 0},
             {"pxname": "docs", "svname": "BACKEND", "status": "UP", "albm_state": "up"}]
            """;

    @Test
    void showsARowForEachFrontendBackendAndPool() {
        List<String> lines = StatsText.of(new TreeMap<>(Map.of("lb-1", Json.tree(ROWS))))
                .lines()
                .toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("PROXY  SERVER");
        assertThat(lines.get(1)).contains("web", "FRONTEND", "OPEN", "70", "2.0K");
        assertThat(lines.get(2)).contains("NOLB (relieved)");
        assertThat(lines.get(3)).contains("BACKEND", "UP").doesNotContain("(up)");
    }

    @Test
    void namesTheDistributorsIfThereAreSeveral() {
        var both = new TreeMap<>(Map.of("lb-1", Json.tree(ROWS), "lb-2", Json.tree("[]")));

        assertThat(StatsText.of(both)).contains("distributor lb-1\n", "\ndistributor lb-2\n");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1023, 1023", "1024, 1.0K", "1572864, 1.5M", "5368709120, 5.0G"})
    void saysBytesShort(long bytes, String text) {
        assertThat(StatsText.bytes(bytes)).isEqualTo(text);
    }
}
