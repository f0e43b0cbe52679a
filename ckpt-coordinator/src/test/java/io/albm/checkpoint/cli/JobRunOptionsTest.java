// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.checkpoint.protocol.Interval;
import io.albm.core.cli.CliException;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.HelpTexts;
import io.albm.core.config.ConfigException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class JobRunOptionsTest {
    @Test
    void saysInItsHelpWhatIsMeant() {
        assertThat(HelpTexts.warnings(
                        Commands.commandLine(JobCommands.group().spec()).getCommandSpec()))
                .isEmpty();
        assertThat(HelpTexts.warnings(
                        Commands.commandLine(CheckpointCommands.group().spec()).getCommandSpec()))
                .isEmpty();
    }

    @Test
    void readsTheThreeWaysToSayWhen() {
        assertThat(interval()).isEqualTo(new Interval.Fixed(5000));
        assertThat(interval("--interval", "30s")).isEqualTo(new Interval.Fixed(30_000));
        assertThat(interval("--overhead", "2%"))
                .isEqualTo(new Interval.OverheadBudget(2, new Interval.Limits(1000, 3_600_000)));
        assertThat(interval("--mtbf", "24h", "--shortest-interval", "10s", "--longest-interval", "30m"))
                .isEqualTo(new Interval.YoungDaly(86_400_000, new Interval.Limits(10_000, 1_800_000)));
    }

    @Test
    void refusesTwoWaysAtOnceAndBoundsOfNothing() {
        assertUsage("give one of them", "--overhead", "2%", "--mtbf", "24h");
        assertUsage("give one of them", "--interval", "5s", "--mtbf", "24h");
        assertUsage("give one of these", "--interval", "5s", "--longest-interval", "1h");
        assertUsage("is below", "--mtbf", "1h", "--shortest-interval", "10s", "--longest-interval", "5s");
    }

    @Test
    void namesAValueThatItCannotRead() {
        assertThatThrownBy(() -> interval("--overhead", "much"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("'much'", "--overhead", "a number from 0.01 to 50");
        assertThatThrownBy(() -> interval("--overhead", "51%")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> interval("--mtbf", "24")).isInstanceOf(ConfigException.class);
    }

    @Test
    void aChoiceOfTheCheckpointNeedsAJobToContinue() {
        try (CommandShell shell = new CommandShell("127.0.0.1:1")) {
            assertThat(shell.run("job", "run", "--ranks", "1", "--from", "3", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("say which with --name").hasLineCount(1);
            assertThat(shell.run(
                            "job",
                            "run",
                            "--ranks",
                            "1",
                            "--name",
                            "a",
                            "--from",
                            "3",
                            "--before",
                            "2026-03-01T10:00",
                            "--",
                            "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("give one of them").hasLineCount(1);
        }
    }

    @Test
    void optionsOfTheHandOverNeedItAndAPatternThatSaysTheStep() {
        try (CommandShell shell = new CommandShell("127.0.0.1:1")) {
            assertThat(shell.run("job", "run", "--ranks", "1", "--checkpoint-cmd", "x", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("add --handover").hasLineCount(1);
            assertThat(shell.run(
                            "job", "run", "--ranks", "1", "--handover", "--handover-names", "restart", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors())
                    .contains("--handover-names: 'restart' is no pattern", "such as restart.*")
                    .hasLineCount(1);
        }
    }

    @Test
    void partnerCopiesNeedTwoHostsWithRanks() {
        try (CommandShell shell = new CommandShell("127.0.0.1:1")) {
            assertThat(shell.run("job", "run", "--ranks", "4", "--partner", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("add --hosts").hasLineCount(1);
            assertThat(shell.run("job", "run", "--ranks", "4", "--hosts", "1", "--partner", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("at least 2").hasLineCount(1);
            assertThat(shell.run("job", "run", "--ranks", "1", "--hosts", "a,b", "--partner", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("at least 2").hasLineCount(1);
        }
    }

    @Test
    void aVariableWithoutValueIsRefusedBeforeTheJobIsKnown() {
        try (CommandShell shell = new CommandShell("127.0.0.1:1")) {
            assertThat(shell.onCluster("job", "run", "--ranks", "1", "--env", "ALBM_NO_SUCH", "--", "true"))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(shell.errors()).contains("--env ALBM_NO_SUCH").hasLineCount(1);
        }
    }

    private static void assertUsage(String message, String... arguments) {
        assertThatThrownBy(() -> interval(arguments))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining(message);
    }

    private static Interval interval(String... arguments) {
        Run run = new Run();
        new CommandLine(run).parseArgs(arguments);
        return run.options.interval();
    }

    @Command(name = "run")
    private static final class Run {
        @CommandLine.Mixin
        private IntervalOptions options = new IntervalOptions();
    }
}
