// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;

/** The tool that paper P5 measures with. */
final class Bonnie {
    static final String PROGRAM = "bonnie++";
    static final String INSTALL = "apt-get install bonnie++";

    /** It takes files of no less than twice a machine's memory. */
    static final int MEMORY_SHARE = 2;

    private static final int FIELDS = 38;
    private static final String FORMAT = "1.98";

    private Bonnie() {}

    /**
     * Fills a directory and empties it again.
     *
     * @param directory made for it, and removed
     * @param members where it joins a control group; empty for none
     * @param scale how much it does
     */
    static List<String> command(String directory, String members, BonnieScale scale) {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "if [ -n \"$1\" ]; then echo 0 > \"$1\" || exit; fi; mkdir \"$2\" || exit; d=$2; shift 2;"
                        + " \"$@\" -d \"$d\"; status=$?; rm -rf \"$d\"; exit $status",
                "bonnie",
                members,
                directory));
        command.addAll(List.of(
                PROGRAM,
                "-q",
                "-f", // nothing character by character
                "-u",
                "root",
                "-s",
                Integer.toString(scale.mebibytes()),
                "-r",
                Integer.toString(scale.mebibytes() / MEMORY_SHARE),
                "-n",
                scale.thousands() + ":0:0:1"));
        return List.copyOf(command);
    }

    /**
     * The fields of what it printed.
     *
     * @throws CliException if that is no result
     */
    static String[] fields(String output) {
        return output.lines()
                .filter(line -> line.startsWith(FORMAT + ","))
                .map(line -> line.split(",", -1))
                .filter(fields -> fields.length >= FIELDS)
                .findFirst()
                .orElseThrow(() -> new CliException(
                        ExitCode.FAILED, "bonnie++ printed no line in its format " + FORMAT + ": " + output.strip()));
    }
}
