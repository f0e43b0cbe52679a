// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import io.albm.core.config.ConfigException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** A command that failed: one line; the stack trace only for {@code --debug}. */
final class Failures implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        command.getErr().println("albm: " + explain(e));
        if (parsed.matchedOptionValue(Commands.DEBUG, false) || debugOf(command)) {
            e.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return exitCode(e);
    }

    /** The option may stand before or after the sub-command. */
    private static boolean debugOf(CommandLine command) {
        ParseResult parsed = command.getParseResult();
        return parsed != null && parsed.matchedOptionValue(Commands.DEBUG, false);
    }

    private static int exitCode(Exception e) {
        return switch (e) {
            case CliException cli -> cli.exitCode();
            case ConfigException _ -> ExitCode.CONFIG;
            case AccessDeniedException _ -> ExitCode.NOT_ALLOWED;
            default -> ExitCode.FAILED;
        };
    }

    private static String explain(Exception e) {
        return switch (e) {
            case CliException cli -> String.valueOf(cli.getMessage());
            case ConfigException config -> String.valueOf(config.getMessage());
            case NoSuchFileException file -> "'" + file.getFile() + "': no such file or directory";
            case AccessDeniedException file -> "'" + file.getFile() + "': permission denied";
            case FileAlreadyExistsException file -> "'" + file.getFile() + "': already exists";
            default -> unexpected(e);
        };
    }

    private static String unexpected(Exception e) {
        String message = e.getMessage();
        return e.getClass().getSimpleName() + (message == null ? "" : ": " + firstLine(message))
                + " (--debug shows where)";
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }
}
