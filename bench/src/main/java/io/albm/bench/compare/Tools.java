// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Programs that a comparison needs and that do not come with us. */
public final class Tools {
    private Tools() {}

    /**
     * Fails, in a line that says how to get them, if one is not on the path.
     *
     * @param install the command that does
     */
    public static void require(String install, String... programs) {
        List<String> missing =
                Arrays.stream(programs).filter(program -> !isOnPath(program)).toList();
        if (!missing.isEmpty()) {
            throw new CliException(
                    ExitCode.FAILED,
                    "missing " + String.join(", ", missing) + "; install what this bench needs: " + install);
        }
    }

    /** Whether it is on the path; root's has the folders of administrators' programs, where Debian has most servers. */
    public static boolean isOnPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Arrays.stream(path.split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** The first line of what it says of its version. */
    public static String version(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().join();
        return output.lines().findFirst().orElse("unknown").strip();
    }
}
