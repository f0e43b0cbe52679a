// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Help as somebody sees it who asks for it. Its texts are formats, and picocli warns of those that it cannot format. */
public final class HelpTexts {
    private static final String WARNING = "[picocli WARN]";

    private HelpTexts() {}

    /** What is said to standard error while the help of a command and of all below it is made. */
    public static List<String> warnings(CommandSpec command) {
        PrintStream before = System.err;
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        System.setErr(new PrintStream(heard, true, UTF_8));
        try {
            show(command);
        } finally {
            System.setErr(before);
        }
        return heard.toString(UTF_8)
                .lines()
                .filter(line -> line.startsWith(WARNING))
                .toList();
    }

    private static void show(CommandSpec command) {
        command.commandLine().getUsageMessage();
        command.subcommands().values().forEach(below -> show(below.getCommandSpec()));
    }
}
