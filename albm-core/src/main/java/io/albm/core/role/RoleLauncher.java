// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ConfigCommand;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.SchemaCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The main of every fat JAR that holds a role: {@code run}, {@code config}, and the role's own commands. */
public final class RoleLauncher {

    private RoleLauncher() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(RoleDefinition definition, String... args) {
        Commands.main(commands(definition), args);
    }

    /** All commands of the role's JAR. */
    public static CommandSpec commands(RoleDefinition definition) {
        var role = definition.role();
        var root = Commands.group("albm", "The " + role.id() + " of an ALBM cluster, and what goes with it.");
        root.addSubcommand("run", run(definition, RoleProcess::run));
        root.addSubcommand("config", ConfigCommand.of(role, definition.schema()));
        root.addSubcommand(Rehearsal.NAME, new CommandLine(new Rehearsal(definition)));
        for (var extra : definition.extraCommands()) {
            var command = extra instanceof CommandSpec spec ? spec : new CommandLine(extra).getCommandSpec();
            root.addSubcommand(command.name(), command);
        }
        return root;
    }

    /** How a process is run. */
    @FunctionalInterface
    interface Runner {
        void run(RoleProcess process) throws Exception;
    }

    static CommandSpec run(RoleDefinition definition, Runner runner) {
        return SchemaCommand.of(
                "run",
                definition.role(),
                definition.schema(),
                "Run a " + definition.role().id() + " in the foreground until SIGTERM, which lets it finish what is in"
                        + " flight; a second SIGTERM ends it at once. Prints a line that begins with READY when it serves.",
                (configuration, _) -> {
                    runner.run(new RoleProcess(definition, configuration));
                    return ExitCode.DONE;
                });
    }
}
