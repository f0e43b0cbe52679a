// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds processes that belong to a demo, whoever their parent is by now: each of them has the demo's directory in its
 * command line or in its environment.
 */
final class LeftBehind {
    /** In the environment of processes whose command line does not name the directory. */
    static final String VARIABLE = "ALBM_DEMO";

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
