// SPDX-License-Identifier: Apache-2.0
package io.albm.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class BenchMainTest {

    private final StringWriter out = new StringWriter();

    private int run(String... args) {
        CommandLine line = Commands.commandLine(BenchMain.root());
        line.setOut(new PrintWriter(out, true));
        return line.execute(args);
    }

    @Test
    void printsResultsAndTargetsAsOneObject() throws Exception {
        assertThat(run("bench", "cache", "--quick", "--json")).isEqualTo(ExitCode.DONE);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.get("results")).hasSize(4);
        JsonNode result = report.get("results").get(0);
        assertThat(result.get("name").asText()).isEqualTo("surge/window-lru/1%/w64/in-order");
        assertThat(result.get("ratio").asDouble())
                .isEqualTo(result.get("ours").asDouble() / result.get("peer").asDouble());
        assertThat(report.get("targets").get(0).get("ok").asBoolean()).isTrue();
    }

    @Test
    void failsWhenATargetIsMissed() {
        assertThat(Commands.commandLine(new Missed()).execute()).isEqualTo(ExitCode.FAILED);
    }

    @Command(name = "missed")
    private static final class Missed extends BenchCommand {
        @Override
        protected BenchReport measure(boolean shorter) {
            return new BenchReport(
                    List.of(Result.of("a", 1, 2, "peer", "s", 1)),
                    List.of(Target.atMost("met", 1, 2), Target.atLeast("missed", 1, 2)));
        }
    }
}
