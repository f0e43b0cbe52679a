// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.config.ConfigSchema;
import io.albm.core.node.Role;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class SchemaCommandTest {
    @Test
    void aRoleMayHaveNoKeysOfItsOwn() {
        CommandSpec run = SchemaCommand.of(
                "run", Role.PLACEMENT, ConfigSchema.of(Role.PLACEMENT, 9600), "Run it.", (configuration, _) -> 0);
        assertThat(new CommandLine(run).getUsageMessage())
                .contains("OPTIONS OF EVERY ROLE", "--zookeeper")
                .doesNotContain("OPTIONS OF THIS ROLE");
    }
}
