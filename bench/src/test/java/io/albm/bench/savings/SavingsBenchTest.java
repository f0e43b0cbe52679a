// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.BenchMain;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As a process of its own, since a signal ends it. */
class SavingsBenchTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    private Path base;

    @Test
    void leavesNoFilesWhenItIsInterrupted() throws IOException {
        Path directory = Files.createDirectory(base.resolve("files"));
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            ChildProcess bench = processes.startJava(
                    "savings",
                    List.of(),
                    BenchMain.class,
                    "bench",
                    "checkpoint-savings",
                    "--directory",
                    directory.toString());
            bench.await("making files", BOUND, () -> filesBelow(directory) > 1);
            processes.stop(bench);
        }
        assertThat(directory).isEmptyDirectory();
    }

    private static long filesBelow(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
