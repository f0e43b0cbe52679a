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
import io.albm.core.cli.HelpTexts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void saysInItsHelpWhatIsMeant() {
        assertThat(HelpTexts.warnings(Commands.commandLine(BenchMain.root()).getCommandSpec()))
                .isEmpty();
    }

    @Test
    void printsResultsAndTargetsAsOneObject(@TempDir Path temp) throws Exception {
        Path trace = Files.writeString(temp.resolve("few.txt"), "0 a 5\n1 b 7\n2 a 5\n");

        assertThat(run("bench", "cache-hit", "--quick", "--json", "--trace", trace.toString()))
                .isEqualTo(ExitCode.FAILED);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.findValuesAsText("name"))
                .contains("window-aware/1%/w64/in-order", "window-aware/10%/w1024/hits-first")
                .contains("few/lru/0.1%/w1/in-order", "surge/belady-size/5%/w400/in-order/bytes");
        assertThat(report.get("targets")).hasSize(54);
        JsonNode floor = report.get("targets").get(0);
        assertThat(floor.get("name").asText()).isEqualTo("window-aware/1%/w64/in-order");
        assertThat(floor.get("ok").asBoolean()).isFalse();
    }

    @Test
    void aTargetOfTheStorageBenchThatIsNoneIsWrongUsage() {
        assertThat(run("bench", "storage", "--only", "write-vs-nobody")).isEqualTo(ExitCode.USAGE);
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
