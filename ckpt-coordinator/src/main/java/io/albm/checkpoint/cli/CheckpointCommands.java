// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code albm ckpt …}. */
public final class CheckpointCommands {
    private CheckpointCommands() {}

    /** The group, for the fat JAR's main. */
    public static CommandSpec group() {
        CommandSpec group = Commands.group("ckpt", "Look at the checkpoints of jobs, ask for one, check them.");
        group.addSubcommand("ls", new CommandLine(new ListCommand()));
        group.addSubcommand("explain", new CommandLine(new ExplainCommand()));
        group.addSubcommand("trigger", new CommandLine(new TriggerCommand()));
        group.addSubcommand("verify", new CommandLine(new VerifyCommand()));
        group.addSubcommand("rm", new CommandLine(new RemoveCommand()));
        return group;
    }
}
