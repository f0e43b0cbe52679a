// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Runs commands described with picocli in ALBM's manner: every command has {@code --help} and {@code --debug}; an error is one line on stderr that names the input and suggests what was meant; the exit code is
 * one of {@link ExitCode}.
 */
public final class Commands {
    static final String DEBUG = "--debug";

    private Commands() {}

    /** A command which only holds others. */
    public static CommandSpec group(String name, String summary) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage().description(summary);
        return spec;
    }

    /** A command in code, without annotations. Its {@code spec.commandLine().getParseResult()} holds the options. */
    public static CommandSpec command(String name, String summary, Callable<Integer> action) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(action).name(name);
        spec.usageMessage().description(summary);
        return spec;
    }

    /**
     * Parses and runs.
     *
     * @param root a {@link CommandSpec}, or an object with picocli's annotations
     * @return the exit code
     */
    public static int run(Object root, String... args) {
        return commandLine(root).execute(args);
    }

    /** Parses, runs and ends this process with the exit code. */
    public static void main(Object root, String... args) {
        System.exit(run(root, args));
    }

    /** A picocli command line with everything set; its streams may still be redirected. */
    public static CommandLine commandLine(Object root) {
        CommandLine line = new CommandLine(root);
        addVersion(line.getCommandSpec());
        addStandardOptions(line.getCommandSpec());
        line.setUnmatchedOptionsArePositionalParams(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false);
        line.setParameterExceptionHandler(new UsageErrors());
        line.setExecutionExceptionHandler(new Failures());
        ManPage.apply(line);
        return line;
    }

    private static void addStandardOptions(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build());
        spec.addOption(OptionSpec.builder(DEBUG)
                .type(boolean.class)
                .description("Show the stack trace of an error.")
                .build());
        spec.subcommands().values().forEach(line -> addStandardOptions(line.getCommandSpec()));
    }

    private static void addVersion(CommandSpec root) {
        root.versionProvider(version());
        root.addOption(OptionSpec.builder("--version")
                .versionHelp(true)
                .description("Show the version and exit.")
                .build());
    }

    private static IVersionProvider version() {
        return () -> {
            String version = Commands.class.getPackage().getImplementationVersion();
            return new String[] {"albm " + (version == null ? "(not packaged)" : version)};
        };
    }
}
