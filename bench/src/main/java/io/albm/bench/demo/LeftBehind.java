// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Finds processes that belong to a demo, whoever their parent is by now: each of them has the demo's directory in its
 * command line or in its environment.
 */
final class LeftBehind {
    /** In the environment of processes whose command line does not name the directory. */
    static final String VARIABLE = "ALBM_DEMO";

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 20_000_000;

    private final String mark;

    LeftBehind(Path directory) {
        mark = directory.toString();
    }

    /** All that run now, but this one. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(this::isMarked)
                .toList();
    }

    /**
     * Ends all by SIGKILL, those that others of them start meanwhile as well.
     *
     * @throws CliException if one is not gone after 10 s
     */
    void kill() {
        long deadline = System.nanoTime() + KILL_BOUND.toNanos();
        for (List<ProcessHandle> left = processes(); !left.isEmpty(); left = processes()) {
            if (System.nanoTime() - deadline > 0) {
                throw new CliException(ExitCode.FAILED, "still running after SIGKILL: " + describe(left.getFirst()));
            }
            left.forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** For people. */
    static String describe(ProcessHandle process) {
        return process.pid() + " " + process.info().commandLine().orElse("?");
    }

    private boolean isMarked(ProcessHandle process) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        return Stream.of("cmdline", "environ")
                .anyMatch(file -> read(proc.resolve(file)).contains(mark));
    }

    /** A process that ends meanwhile, or is another user's, reads as nothing. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
