// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.role.RoleLauncher;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageNodeRehearsalTest {
    @Test
    void answersTheCommandsThatItRehearses(@TempDir Path directory) {
        assertThat(Commands.run(RoleLauncher.commands(new StorageNodeRole()), "rehearse", directory.toString()))
                .isEqualTo(ExitCode.DONE);
    }
}
