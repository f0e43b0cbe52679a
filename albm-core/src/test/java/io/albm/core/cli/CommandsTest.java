// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class CommandsTest {
    private static final Key<Integer> QUEUE = Key.integer("queue", 64, 1, 1024, "Requests that wait.");
    private static final ConfigSchema SCHEMA = ConfigSchema.of(Role.DISTRIBUTOR, 9080, QUEUE);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void suggestsTheNearestCommand() {
        assertThat(run(tree(() -> 0), "storage", "stata")).isEqualTo(ExitCode.USAGE);
        assertThat(err)
                .hasToString("albm: unknown command 'stata'; did you mean 'stat'? (see 'albm storage --help')\n");
    }

    @Test
    void suggestsTheNearestOption() {
        assertThat(run(tree(() -> 0), "run", "--queu", "3")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString("albm: unknown option '--queu'; did you mean '--queue'? (see 'albm run --help')\n");
    }

    @Test
    void suggestsTheNearestOptionWhenItIsTheOneThatIsMissing() {
        CommandSpec stat = Commands.command("stat", "Show a file.", () -> 0);
        stat.addOption(
                OptionSpec.builder("--path").type(String.class).required(true).build());
        CommandSpec root = Commands.group("albm", "Test.");
        root.addSubcommand("stat", stat);
        assertThat(run(root, "stat", "--pth", "/a")).isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString("albm: unknown option '--pth'; did you mean '--path'? (see 'albm stat --help')\n");
    }

    @Test
    void groupWithoutCommandIsWrongUsage() {
        assertThat(run(tree(() -> 0), "storage")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("albm: ")
                .contains("albm storage --help")
                .hasLineCount(1);
    }

    @Test
    void everyFailureIsOneLineWithItsExitCode() {
        assertFailure(new CliException(ExitCode.REFUSED, "already up"), ExitCode.REFUSED, "albm: already up\n");
        assertFailure(new ConfigException("queue = 'x'"), ExitCode.CONFIG, "albm: queue = 'x'\n");
        assertFailure(new NoSuchFileException("/none"), ExitCode.FAILED, "albm: '/none': no such file or directory\n");
        assertFailure(new AccessDeniedException("/root"), ExitCode.NOT_ALLOWED, "albm: '/root': permission denied\n");
        assertFailure(
                new IllegalStateException("first\nsecond"),
                ExitCode.FAILED,
                "albm: IllegalStateException: first (--debug shows where)\n");
    }

    @Test
    void debugShowsTheStackTrace() {
        assertThat(run(failing(new IllegalStateException("broken")), "storage", "stat", "--debug"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("broken").contains("\tat ");
    }

    @Test
    void helpReadsLikeAManPage() {
        assertThat(run(tree(() -> 0), "run", "--help")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .containsSubsequence(
                        "SYNOPSIS",
                        "albm run distributor",
                        "DESCRIPTION",
                        "OPTIONS OF THIS ROLE",
                        "--queue=N",
                        "Requests that wait.",
                        "a whole number from 1 to 1024; default 64",
                        "OPTIONS OF EVERY ROLE",
                        "--zookeeper=HOST:PORT,…",
                        "EXIT STATUS",
                        "78",
                        "EXAMPLES");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void optionsBecomeConfiguration() {
        CommandSpec root = Commands.group("albm", "Test.");
        root.addSubcommand("run", SchemaCommand.of("run", Role.DISTRIBUTOR, SCHEMA, "Run.", (configuration, parsed) -> {
            assertThat(configuration.get(QUEUE)).isEqualTo(3);
            assertThat(configuration.get(CommonKeys.INSECURE)).isTrue();
            return 42;
        }));
        assertThat(run(root, "run", "--queue", "3", "--insecure")).isEqualTo(42);
    }

    @Test
    void configShowsEachValueWithItsOrigin() {
        assertThat(run(tree(() -> 0), "config", "--queue=5")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .containsPattern("(?m)^KEY +VALUE +FROM$")
                .containsPattern("(?m)^queue +5 +command line --queue$")
                .containsPattern("(?m)^admin-port +9080 +built-in$");
    }

    @Test
    void configIsReadableByAProgram() {
        assertThat(run(tree(() -> 0), "config", "--json", "--queue=5")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(out.toString()).at("/queue/origin").asText()).isEqualTo("command line --queue");
    }

    @Test
    void badValueIsBadConfiguration() {
        assertThat(run(tree(() -> 0), "config", "--queue=0")).isEqualTo(ExitCode.CONFIG);
        assertThat(err.toString())
                .startsWith("albm: queue = '0' (command line --queue): expected")
                .hasLineCount(1);
    }

    @Test
    void makesOnlyTheCommandThatIsCalled() {
        List<String> made = new ArrayList<>();
        assertThat(run(group(made).spec("storage", "stat"), "storage", "stat")).isEqualTo(7);
        assertThat(made).containsExactly("stat");
    }

    @Test
    void knowsAllCommandsWhenTheyAreListedOrNoneIsCalled() {
        List<String> made = new ArrayList<>();
        assertThat(run(group(made).spec("storage", "--help"), "storage", "--help"))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("stat", "list");
        assertThat(made).containsExactly("stat", "list");
        assertThat(run(group(made).spec("storage", "lis"), "storage", "lis")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown command 'lis'").contains("list");
        err.getBuffer().setLength(0);
        assertThat(run(group(made).spec("storrage"), "storrage")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown command 'storrage'").contains("storage");
    }

    private static CommandGroup group(List<String> made) {
        return CommandGroup.of("albm", "Test.")
                .with(CommandGroup.of("storage", "Files.")
                        .with("stat", () -> made("stat", made))
                        .with("list", () -> made("list", made)));
    }

    private static CommandSpec made(String name, List<String> made) {
        made.add(name);
        return Commands.command(name, "Show a file.", () -> 7);
    }

    private void assertFailure(Exception failure, int exitCode, String message) {
        err.getBuffer().setLength(0);
        assertThat(run(failing(failure), "storage", "stat")).isEqualTo(exitCode);
        assertThat(err).hasToString(message);
    }

    private static CommandSpec failing(Exception failure) {
        return tree(() -> {
            throw failure;
        });
    }

    private static CommandSpec tree(Callable<Integer> action) {
        CommandSpec storage = Commands.group("storage", "Files on the cluster.");
        storage.addSubcommand("stat", Commands.command("stat", "Show a file.", action));
        CommandSpec root = Commands.group("albm", "Test.");
        root.addSubcommand("storage", storage);
        root.addSubcommand("run", SchemaCommand.of("run", Role.DISTRIBUTOR, SCHEMA, "Run it.", (_, _) -> 0));
        root.addSubcommand("config", ConfigCommand.of(Role.DISTRIBUTOR, SCHEMA));
        return root;
    }

    private int run(CommandSpec root, String... args) {
        CommandLine line = Commands.commandLine(root);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
