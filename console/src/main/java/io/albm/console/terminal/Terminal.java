// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.CommandGroup;
import io.albm.core.cli.Commands;
import picocli.CommandLine.Model.CommandSpec;

/** The terminal commands: a new one is a class and a line here. */
public final class Terminal {
    private static final CommandGroup COMMANDS = CommandGroup.of(
                    "albm", "A cluster on this machine, and a look at any cluster.")
            .with("up", UpCommand::new)
            .with("down", DownCommand::new)
            .with("status", StatusCommand::new)
            .with("top", TopCommand::new)
            .with("stats", StatsCommand::new)
            .with("policy", PolicyCommand::new)
            .with("weight", WeightCommand::new)
            .with("topology", TopologyCommand::new)
            .with("threshold", ThresholdCommand::new)
            .with("cache", CacheCommand::new)
            .with("drain", DrainCommand::new)
            .with("undrain", UndrainCommand::new)
            .with(Rehearsal.NAME, Rehearsal::new);

    private Terminal() {}

    /** Whether a command line is for these commands. */
    public static boolean handles(String[] args) {
        return args.length > 0 && COMMANDS.has(args[0]);
    }

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Commands.main(root(args), args);
    }

    static CommandSpec root(String... args) {
        return COMMANDS.spec(args);
    }
}
