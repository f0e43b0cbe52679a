// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The heat example, as ranks of a job. */
final class Heat {
    private static final int STEPS = 500;

    private Heat() {}

    /** @param pauseMillis between steps, to be alive when the fault comes */
    static List<String> command(int pauseMillis) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Albm.home().resolve("examples/heat/target/heat-all.jar").toString(),
                "--size",
                "96",
                "--steps",
                Integer.toString(STEPS),
                "--pause",
                Integer.toString(pauseMillis));
    }

    /** The hash of its result when it runs alone. */
    static String undisturbed() throws IOException {
        try (var out = new ProcessBuilder(command(0)).start().inputReader()) {
            return Job.hash(out.lines());
        }
    }
}
