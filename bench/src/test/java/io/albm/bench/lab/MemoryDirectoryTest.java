// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryDirectoryTest {
    @TempDir
    private Path base;

    @Test
    void removesWhatDeadProcessesLeftAndNothingElse() throws Exception {
        Process dies = new ProcessBuilder("sleep", "600").start();
        Path left = filled(MemoryDirectory.nameOf(dies.toHandle()));
        dies.destroyForcibly().waitFor();
        Path pidUsedAgain = filled("albm-lab-" + ProcessHandle.current().pid() + "-1");
        Process lives = new ProcessBuilder("sleep", "600").start();
        try {
            Path kept = filled(MemoryDirectory.nameOf(lives.toHandle()));
            Path foreign = filled("albm-lab-notes");
            try (MemoryDirectory own = MemoryDirectory.make(base)) {
                assertThat(own.path()).isEmptyDirectory();
                assertThat(left).doesNotExist();
                assertThat(pidUsedAgain).doesNotExist();
                assertThat(kept.resolve("deep/file")).exists();
                assertThat(foreign.resolve("deep/file")).exists();
            }
        } finally {
            lives.destroyForcibly().waitFor();
        }
    }

    @Test
    void isGoneOnceItIsClosed() throws IOException {
        Path path;
        try (MemoryDirectory own = MemoryDirectory.make(base)) {
            path = own.path();
            Files.writeString(Files.createDirectories(path.resolve("deep")).resolve("file"), "x");
        }
        assertThat(path).doesNotExist();
    }

    private Path filled(String name) throws IOException {
        Path directory = base.resolve(name);
        Files.writeString(Files.createDirectories(directory.resolve("deep")).resolve("file"), "x");
        return directory;
    }
}
