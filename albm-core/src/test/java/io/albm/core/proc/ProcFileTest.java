// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcFileTest {
    @TempDir
    Path directory;

    @Test
    void readsTheCurrentContentEachTime() throws IOException {
        Path path = Files.writeString(directory.resolve("counter"), "value 10\n");
        try (ProcFile file = ProcFile.open(path)) {
            assertThat(file.read().numberAfter(ProcText.label("value "))).isEqualTo(10);
            Files.writeString(path, "value 7\n");
            assertThat(file.read().numberAfter(ProcText.label("value "))).isEqualTo(7);
        }
    }

    @Test
    void growsToReadALongFileWhole() throws IOException {
        Path path = Files.writeString(directory.resolve("long"), "x\n".repeat(50_000) + "last 3\n");
        try (ProcFile file = ProcFile.open(path)) {
            assertThat(file.read().numberAfter(ProcText.label("last "))).isEqualTo(3);
        }
    }

    @Test
    void refusesAFileBeyondTheBound() throws IOException {
        Path path = Files.writeString(directory.resolve("huge"), "x".repeat(ProcFile.MAX_BYTES + 1));
        try (ProcFile file = ProcFile.open(path)) {
            assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("longer than");
        }
    }

    @Test
    void aHeadStopsAtItsLength() throws IOException {
        Path path = Files.writeString(directory.resolve("stat"), "cpu 1 2 3\nintr 9 9 9\n");
        try (ProcFile file = ProcFile.head(path, 10)) {
            assertThat(file.read()).hasToString("cpu 1 2 3\n");
        }
    }

    @Test
    void readsTheKernelsOwnFiles() throws IOException {
        try (ProcFile file = ProcFile.open(Path.of("/proc/meminfo"))) {
            assertThat(file.read().numberAfter(ProcText.label("MemTotal:"))).isPositive();
        }
    }

    @Test
    void namesTheFileThatLacksANumber() throws IOException {
        Path path = Files.writeString(directory.resolve("meminfo"), "");
        try (ProcFile file = ProcFile.open(path)) {
            assertThatThrownBy(() -> file.require(ProcText.ABSENT, "MemAvailable"))
                    .hasMessage(path + " has no MemAvailable");
        }
    }
}
