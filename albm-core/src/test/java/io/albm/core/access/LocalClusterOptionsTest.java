// SPDX-License-Identifier: Apache-2.0
package io.albm.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LocalClusterOptionsTest {
    @Command
    private static final class AnyCommand {
        @Mixin
        private LocalClusterOptions options = new LocalClusterOptions();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " --cluster second", " --data /srv/albm", " --cluster second --data /srv/albm"})
    void sayWhatAnotherCommandNeedsToMeanTheSameCluster(String arguments) {
        AnyCommand command = new AnyCommand();
        new CommandLine(command)
                .parseArgs(
                        arguments.isEmpty() ? new String[0] : arguments.strip().split(" "));
        assertThat(command.options.arguments()).isEqualTo(arguments);
    }
}
