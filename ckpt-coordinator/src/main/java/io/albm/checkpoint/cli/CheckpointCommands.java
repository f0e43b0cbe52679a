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
        CommandSpec group = Commands.group(
                "ckpt",
                "Look at the checkpoints of jobs, ask for one, halt a job, check, fetch, keep and remove them.");
        group.addSubcommand("ls", new CommandLine(new ListCommand()));
        group.addSubcommand("show", new CommandLine(new ShowCommand()));
        group.addSubcommand("explain", new CommandLine(new ExplainCommand()));
        group.addSubcommand("trigger", new CommandLine(new TriggerCommand()));
        group.addSubcommand("halt", new CommandLine(new HaltCommand()));
        group.addSubcommand("verify", new CommandLine(new VerifyCommand()));
        group.addSubcommand("restore", new CommandLine(new RestoreCommand()));
        group.addSubcommand("pin", new CommandLine(new PinCommand()));
        group.addSubcommand("unpin", new CommandLine(new UnpinCommand()));
        group.addSubcommand("rm", new CommandLine(new RemoveCommand()));
        return group;
    }
}
