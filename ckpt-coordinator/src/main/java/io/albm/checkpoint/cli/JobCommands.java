// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code albm job …}. */
public final class JobCommands {
    private JobCommands() {}

    /** The group, for the fat JAR's main. */
    public static CommandSpec group() {
        CommandSpec group = Commands.group("job", "Run parallel jobs that survive the death of their processes.");
        group.addSubcommand("run", new CommandLine(new JobRunCommand()));
        return group;
    }
}
