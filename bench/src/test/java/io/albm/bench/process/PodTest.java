// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.albm.core.cli.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer's world leaves nothing behind; namespaces take root. */
class PodTest {
    /** An odd time, by which the daemon is known. */
    private static final String DAEMON = "sleep 6007.25";

    @TempDir
    private Path base;

    @BeforeEach
    void asRoot() throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "takes root");
    }

    @Test
    void daemonsAndMountsAreGoneWithIt() throws IOException {
        Path directory = Files.createDirectory(base.resolve("mount"));
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            Pod pod = Pod.start(processes, "pod", "mount -t tmpfs none " + directory);
            pod.run("sh", "-c", "setsid " + DAEMON + " >/dev/null 2>&1 & touch " + directory + "/inside");
            assertThat(pod.run("ls", directory.toString())).isEqualTo("inside");
            assertThat(directory).isEmptyDirectory();
            assertThat(daemonRuns()).isTrue();
        }
        assertThat(daemonRuns()).isFalse();
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory.toString());
    }

    @Test
    void hasAnAddressOfItsOwn() throws IOException {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            Pod pod = Pod.start(processes, "pod", ":");
            assertThat(pod.run("ip", "-brief", "address")).contains(Pod.ADDRESS).doesNotContain("eth");
        }
    }

    @Test
    void aSetupThatFailsIsAnError() throws IOException {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            assertThatThrownBy(() -> Pod.start(processes, "pod", "mount --bind /nowhere /mnt"))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("pod ended before it was ready");
        }
    }

    private static boolean daemonRuns() {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains(DAEMON));
    }
}
