// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class PlacementCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void showsThisMachinesContainers() {
        assertThat(run("containers")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("WORKING SET");
        assertThat(run("containers", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void anUnknownPolicyIsWrongUsageAndListsTheKnown() {
        assertThat(run("plan", "--policy", "best", "web=1MiB")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains("'best'")
                .contains("interference-aware, spread")
                .hasLineCount(1);
    }

    @Test
    void aPlanWithoutContainersIsWrongUsage() {
        assertThat(run("plan")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no containers");
    }

    @Test
    void aContainerOfAnotherFormIsRefused() {
        assertThat(run("plan", "web:1MiB")).isEqualTo(ExitCode.CONFIG);
        assertThat(err.toString()).contains("container 'web:1MiB': expected NAME");
    }

    private int run(String... arguments) {
        CommandLine line = Commands.commandLine(new PlacementCommand());
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }
}
