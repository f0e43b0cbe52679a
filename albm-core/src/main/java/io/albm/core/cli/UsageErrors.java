// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import io.albm.core.text.Nearest;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Wrong usage: one line, with the nearest name and where the help is. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String help = command.getCommandSpec().qualifiedName();
        command.getErr().println("albm: " + explain(e, command.getCommandSpec()) + " (see '" + help + " --help')");
        command.getErr().flush();
        return ExitCode.USAGE;
    }

    private static String explain(ParameterException e, CommandSpec command) {
        List<String> unmatched = unmatched(e);
        if (!unmatched.isEmpty()) {
            return unmatched(unmatched.getFirst(), command);
        }
        return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    }

    /** A word that nobody knows is often the misspelt one that is missing. */
    private static List<String> unmatched(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched.getUnmatched();
            case MissingParameterException missing -> missing.getCommandLine().getUnmatchedArguments();
            default -> List.of();
        };
    }

    private static String unmatched(String argument, CommandSpec command) {
        if (argument.startsWith("-")) {
            String name = argument.replaceFirst("=.*", "");
            return "unknown option '" + name + "'" + Nearest.hint(name, options(command));
        }
        Collection<String> subcommands = command.subcommands().keySet();
        return subcommands.isEmpty()
                ? "unexpected argument '" + argument + "'"
                : "unknown command '" + argument + "'" + Nearest.hint(argument, subcommands);
    }

    private static List<String> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .map(CommandLine.Model.OptionSpec::longestName)
                .toList();
    }
}
