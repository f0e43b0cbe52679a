// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ExperimentFilesTest {

    @Command(name = "trial")
    private static final class Trial {
        @Mixin
        private final ExperimentFiles files = new ExperimentFiles();
    }

    private final Trial trial = new Trial();
    private final CommandLine line = new CommandLine(trial);

    @Test
    void goIntoAFolderThatIsCalledLikeTheExperiment() {
        line.parseArgs();

        Path out = Objects.requireNonNull(line.getCommandSpec().findOption("--out"))
                .getValue();
        assertThat(out).isEqualTo(Path.of("target/experiments/trial"));
        assertThat(line.getUsageMessage()).contains("target/experiments/trial");
    }

    @Test
    void areAllWrittenWhereTheOptionSays(@TempDir Path temp) throws IOException {
        line.parseArgs("--out", temp.resolve("new/folder").toString());

        trial.files.write(Map.of("runs.csv", "a,b\n", "figure.svg", "<svg/>"));

        assertThat(temp.resolve("new/folder/runs.csv")).hasContent("a,b\n");
        assertThat(temp.resolve("new/folder/figure.svg")).hasContent("<svg/>");
    }
}
