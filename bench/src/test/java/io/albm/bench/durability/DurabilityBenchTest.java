// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DurabilityBenchTest {
    private static final String[] SMALL = {"--json", "--nodes", "30", "--segments", "20000", "--years", "100"};

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine line = Commands.commandLine(new DurabilityBench());
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    @Test
    void reportsEachLayoutUnderBothWaysToRebuildAndWhatMoved() throws Exception {
        assertThat(run(SMALL)).isEqualTo(ExitCode.DONE);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.findValuesAsText("name"))
                .contains("4+0/loss per year", "4+2/loss per year/high", "copies-3/rebuild traffic", "8+2/rebuild/p99")
                .contains("movement/joins", "moved to a node that joins, over 1/(N+1)")
                .doesNotContain("4+0/rebuild");
        assertThat(report.get("results").get(0).get("peerName").asText()).isEqualTo("in-place");
        assertThat(report.get("targets")).hasSize(2);
        assertThat(report.get("environment").get("simulated").asText())
                .isEqualTo("20,000 segments, 100 years, transfer times FIXED, seed 1");
    }

    @Test
    void showsRareLossesWithTheirExponent() {
        assertThat(run("--nodes", "30", "--segments", "20000", "--years", "100"))
                .isEqualTo(ExitCode.DONE);

        assertThat(out.toString()).containsPattern("4\\+2/loss per year +\\d\\.\\d\\de-0\\d +\\d\\.\\d\\de-0\\d");
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes, 10, 'nodes = ''10'' (command line --nodes): expected a whole number from 11 to 10000'",
        "--mtbf, 10, 'mtbf = ''10'' (command line --mtbf): expected a duration from 1 h to 2000000 h with its unit'",
        "--disk-bandwidth, fast, 'expected a size from 1 MiB to 1 TiB'",
        "--transfer-times, normal, 'FIXED, EXPONENTIAL'"
    })
    void anOptionThatIsNoneIsWrongUsage(String option, String value, String message) {
        assertThat(run(option, value)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
    }
}
