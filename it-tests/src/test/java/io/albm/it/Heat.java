// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The heat example, as ranks of a job. */
final class Heat {
    private static final List<String> PROGRAM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            Albm.home().resolve("examples/heat/target/heat-all.jar").toString(),
            "--size",
            "96",
            "--steps",
            "500");

    private Heat() {}

    /** @param pauseMillis between steps, to be alive when the fault comes */
    static List<String> command(int pauseMillis) {
        return Stream.concat(PROGRAM.stream(), Stream.of("--pause", Integer.toString(pauseMillis)))
                .toList();
    }

    /** Slow until its first process is killed, however late that is; then as fast as it can. */
    static List<String> slowUntilKilled() {
        String script = "exec \"$@\" --pause $((ALBM_ATTEMPT == 1 ? 100 : 0))";
        return Stream.concat(Stream.of("sh", "-c", script, "heat"), PROGRAM.stream())
                .toList();
    }

    /** The hash of its result when it runs alone. */
    static String undisturbed() throws IOException {
        try (var out = new ProcessBuilder(command(0)).start().inputReader()) {
            return Job.hash(out.lines());
        }
    }
}
