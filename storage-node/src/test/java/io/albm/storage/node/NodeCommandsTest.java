// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about storage nodes, as a shell sees them, with nodes that come and go. */
class NodeCommandsTest {
    @TempDir
    Path dir;

    private StorageRig rig;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 6);
        rig.announce();
        shell = new Shell(rig);
    }

    @AfterEach
    void close() throws IOException {
        shell.close();
        rig.close();
    }

    @Test
    void showsHowNodesTakePart() {
        assertThat(shell.run("nodes", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(shell.text())).hasSize(6);
        assertThat(Json.tree(shell.text()).get(0).get("state").asText()).isEqualTo("serving");
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("n-1", "serving", "0 %").hasLineCount(7);
        rig.stopNode("n-5");
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).containsPattern("n-5 +silent");
    }
}
