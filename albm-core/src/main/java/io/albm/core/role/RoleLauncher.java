// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.cli.CommandGroup;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ConfigCommand;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.SchemaCommand;
import io.albm.core.node.Role;
import picocli.CommandLine.Model.CommandSpec;

/** The main of every fat JAR that holds a role: {@code run}, {@code config}, and the role's own commands. */
public final class RoleLauncher {

    private RoleLauncher() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(RoleDefinition definition, String... args) {
        Commands.main(commands(definition, args), args);
    }

    /** Commands of the role's JAR for a command line, as {@link CommandGroup#spec}; all of them for none. */
    public static CommandSpec commands(RoleDefinition definition, String... args) {
        Role role = definition.role();
        CommandGroup root = CommandGroup.of("albm", "The " + role.id() + " of an ALBM cluster, and what goes with it.")
                .with("run", () -> run(definition, RoleProcess::run))
                .with("config", () -> ConfigCommand.of(role, definition.schema()))
                .with(Rehearsal.NAME, () -> new Rehearsal(definition));
        definition.addCommands(root);
        return root.spec(args);
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
