// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.Commands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The terminal commands: a new one is a class here, a name and a case. */
public final class Terminal {
    private static final List<String> NAMES = List.of(
            "up",
            "down",
            "status",
            "top",
            "stats",
            "policy",
            "weight",
            "topology",
            "threshold",
            "cache",
            "drain",
            "undrain");

    private Terminal() {}

    /** Whether a command line is for these commands. */
    public static boolean handles(String[] args) {
        return args.length > 0 && (NAMES.contains(args[0]) || args[0].equals(Rehearsal.NAME));
    }

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Commands.main(root(args), args);
    }

    /** Only the command that is called, since reading the others' annotations costs CPU; all of them if none is. */
    static CommandSpec root(String[] args) {
        CommandSpec root = Commands.group("albm", "A cluster on this machine, and a look at any cluster.");
        List<String> names = handles(args) ? List.of(args[0]) : NAMES;
        names.forEach(name -> root.addSubcommand(name, new CommandLine(command(name))));
        return root;
    }

    private static Object command(String name) {
        return switch (name) {
            case "up" -> new UpCommand();
            case "down" -> new DownCommand();
            case "status" -> new StatusCommand();
            case "top" -> new TopCommand();
            case "stats" -> new StatsCommand();
            case "policy" -> new PolicyCommand();
            case "weight" -> new WeightCommand();
            case "topology" -> new TopologyCommand();
            case "threshold" -> new ThresholdCommand();
            case "cache" -> new CacheCommand();
            case "drain" -> new DrainCommand();
            case "undrain" -> new UndrainCommand();
            case Rehearsal.NAME -> new Rehearsal();
            default -> throw new IllegalArgumentException(name);
        };
    }
}
