// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.node.NodeId;
import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are elected and cannot lead the file table. */
final class TableCandidacyTest {
    private static final int FILE = 0100644;

    @TempDir
    private Path dir;

    @Test
    void eachTriesInTurnUntilTheLogCanBeReadAgain() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2", "n-3")) {
            RemoteFileTable table = rig.client();
            long made = table.ask(new TableCommand.Make(Inode.ROOT, "a", FILE, 1, 1, 0, null))
                    .join()
                    .inode()
                    .number();
            byte[] batch = firstBatch(rig);

            setFirstBatch(rig, "{\"entry\":\"?\"}\n".getBytes(StandardCharsets.UTF_8));
            rig.kill(rig.leader().orElseThrow());
            NodeId first = await().until(() -> inTrouble(rig), Objects::nonNull);
            NodeId second = await().atMost(Duration.ofSeconds(30))
                    .until(() -> inTrouble(rig), node -> node != null && !node.equals(first));
            setFirstBatch(rig, batch);

            assertThat(rig.nodes()).contains(first, second).hasSize(2);
            await().atMost(Duration.ofSeconds(30)).until(() -> rig.leader().isPresent());
            assertThat(table.ask(new TableQuery.Lookup(Inode.ROOT, "a"))
                            .join()
                            .inode()
                            .number())
                    .isEqualTo(made);
        }
    }

    private static @Nullable NodeId inTrouble(TableRig rig) {
        return rig.nodes().stream()
                .filter(node -> rig.status(node).trouble() != null)
                .findFirst()
                .orElse(null);
    }

    private static byte[] firstBatch(TableRig rig) {
        return store(rig).read(TablePaths.batch(1)).join().orElseThrow().data();
    }

    private static void setFirstBatch(TableRig rig, byte[] data) {
        store(rig)
                .commit(List.of(new Operation.Set(TablePaths.batch(1), data, Operation.ANY)))
                .join();
    }

    private static CoordinationStore store(TableRig rig) {
        return rig.observer().store();
    }
}
