// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedStore;
import io.albm.storage.StripedWriter;
import io.albm.storage.TableCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about storage nodes, as a shell sees them, with nodes that come and go. */
class NodeCommandsTest {
    private static final Set<NodeId> NONE = Set.of();
    private static final Set<NodeId> N_2 = Set.of(new NodeId("n-2"));

    @TempDir
    Path dir;

    private StorageRig rig;
    private Shell shell;
    private int stored;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 5);
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
        assertThat(Json.tree(shell.text())).hasSize(5);
        assertThat(Json.tree(shell.text()).get(0).get("state").asText()).isEqualTo("serving");
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("n-1", "serving", "0 %").hasLineCount(6);
        rig.stopNode("n-5");
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).containsPattern("n-5 +silent");
    }

    @Test
    void retiresANodeThatThenHoldsNothing() throws IOException {
        Map<String, byte[]> files = store(20, NONE);
        rig.joinNode("n-6");
        long held = bytesOn("n-2");
        assertThat(shell.run("retire", "n-2", "--json")).isEqualTo(ExitCode.DONE);
        JsonNode retired = Json.tree(shell.text());
        assertThat(retired.get("blocksLeft").asLong()).isZero();
        assertThat(retired.get("moved").get("repairedBytes").asLong())
                .as("bytes moved")
                .isEqualTo(held)
                .isPositive();
        assertThat(rig.blockFiles("n-2")).isEmpty();
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("n-2 +retiring");
        files.putAll(store(5, N_2));
        assertThat(rig.blockFiles("n-2")).as("of new files").isEmpty();
        rig.stopNode("n-2");
        rig.stopNode("n-3");
        assertRight(files);
    }

    @Test
    void refusesToRetireANodeThatFilesNeed() throws IOException {
        store(5, NONE);
        assertThat(shell.run("retire", "n-2")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors())
                .contains("n-2 cannot be retired: 4 nodes would stay, and 5 of its files lie on more")
                .hasLineCount(1);
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("n-2 +serving");
        assertThat(shell.run("retire", "n-9")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("n-9: no storage node of that name is alive", "n-1, n-2");
    }

    @Test
    void givesANodeThatJoinsItsShareAndMovesNothingElse() throws IOException {
        Map<String, byte[]> files = store(60, NONE);
        long all = 0;
        for (NodeId node : rig.nodes()) {
            all += bytesOn(node.value());
        }
        rig.joinNode("n-6");
        assertThat(shell.run("add-node", "n-6", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(shell.text()).get("repairedBytes").asLong())
                .as("bytes moved")
                .isEqualTo(bytesOn("n-6"))
                .isBetween(all / 12, all / 5);
        assertThat(shell.run("scrub")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).endsWith("clean\n");
        assertThat(shell.run("add-node", "n-6")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).isEqualTo("moved 0 blocks (0 B) of 0 segments\n");
        rig.stopNode("n-3");
        assertRight(files);
    }

    @Test
    void usesARetiredNodeAgainThatIsAdded() throws IOException {
        rig.joinNode("n-6");
        assertThat(shell.run("retire", "n-2")).isEqualTo(ExitCode.DONE);
        Map<String, byte[]> files = store(10, N_2);
        assertThat(rig.blockFiles("n-2")).isEmpty();
        assertThat(shell.run("add-node", "n-2")).isEqualTo(ExitCode.DONE);
        assertThat(rig.blockFiles("n-2")).isNotEmpty();
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("n-2 +serving");
        assertRight(files);
    }

    @Test
    void replacesALiveNodeAndALostOne() throws IOException {
        Map<String, byte[]> files = store(5, NONE);
        long inode = rig.store().stat("/0").orElseThrow().inode();
        rig.table().ask(new TableCommand.Link(inode, Inode.ROOT, "00")).join();
        rig.joinNode("n-6");
        assertThat(shell.run("replace", "n-2", "n-6", "--rate", "1 GiB")).isEqualTo(ExitCode.DONE);
        assertThat(rig.blockFiles("n-2")).isEmpty();
        assertThat(rig.blockFiles("n-6")).hasSize(5);
        rig.stopNode("n-3");
        rig.joinNode("n-7");
        assertThat(shell.run("replace", "n-3", "n-7")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).doesNotContain("n-3 holds");
        assertThat(rig.blockFiles("n-7")).hasSize(5);
        rig.stopNode("n-1");
        assertRight(files);
    }

    @Test
    void refusesToReplaceOrRebuildANodeThatNeverWas() throws IOException {
        store(5, NONE);
        rig.joinNode("n-6");
        for (List<String> mistyped : List.of(
                List.of("replace", "n-22", "n-6"),
                List.of("rebuild", "n-22"),
                List.of("rebuild", "n-2", "--onto", "n-66"))) {
            assertThat(shell.run(mistyped.toArray(String[]::new))).isEqualTo(ExitCode.FAILED);
            assertThat(shell.errors())
                    .contains(": no storage node of that name is alive", "n-1, n-2")
                    .hasLineCount(1);
        }
        assertRight(store(1, NONE));
    }

    /** Of a file that was begun before the node was marked, and is published after its segments were listed. */
    @Test
    void saysThatAReplacedNodeHoldsWhatIsBeingWritten() throws IOException {
        StripedFiles files = rig.store().files();
        StripedWriter writer =
                StripedStore.await(files.create(StoragePath.of("/f"), PutMode.CREATE, NONE, Long.MAX_VALUE));
        byte[] content = StorageRig.content(8 * StorageRig.UNIT, 1);
        ByteBuffer source = ByteBuffer.wrap(content);
        while (source.hasRemaining()) {
            StripedStore.await(writer.append(source));
        }
        await().until(() -> !rig.blockFiles("n-2").isEmpty());
        rig.joinNode("n-6");
        assertThat(shell.run("replace", "n-2", "n-6")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).containsPattern("n-2 holds \\d+ blocks still: run this again");
        StripedStore.await(writer.commit());
        assertThat(shell.run("replace", "n-2", "n-6")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("n-2 holds nothing any more: stop it");
        assertThat(rig.blockFiles("n-2")).isEmpty();
        assertThat(read(rig.store(), "/f")).isEqualTo(content);
    }

    @Test
    void goesOnWhereAMoveWasCutOff() throws IOException {
        byte[] content = StorageRig.content(40 * 4 * StorageRig.UNIT, 1);
        rig.store().writeBytes("/f", content, PutMode.CREATE);
        rig.startNode("n-6");
        AtomicInteger writes = new AtomicInteger();
        StripedStore losing = rig.store(
                StorageRig.SETTINGS,
                blocks -> new DisturbedBlocks(blocks, (node, header) -> {
                    if (writes.incrementAndGet() == 20) {
                        rig.stopNode("n-6");
                    }
                }));
        NodeId leaving = new NodeId("n-2");
        ScrubReport cut = losing.replace(leaving, new NodeId("n-6"), progress -> {});
        assertThat(cut.failures()).singleElement().asString().contains("n-6");
        int there = rig.blockFiles("n-6").size();
        assertThat(there).isBetween(1, 39);
        rig.startNode("n-6");
        ScrubReport rest = rig.store().replace(leaving, new NodeId("n-6"), progress -> {});
        assertThat(rest.whole()).isTrue();
        assertThat(rest.repaired()).as("blocks moved").isEqualTo(40 - there);
        assertThat(rig.blockFiles("n-2")).isEmpty();
        assertThat(read(rig.store(), "/f")).isEqualTo(content);
    }

    /** Files over five nodes each. */
    private Map<String, byte[]> store(int count, Set<NodeId> retiring) throws IOException {
        StripedStore store = rig.memberStore(retiring);
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            byte[] content = StorageRig.content(4 * StorageRig.UNIT, stored);
            String path = "/" + stored++;
            store.writeBytes(path, content, PutMode.CREATE);
            files.put(path, content);
        }
        return files;
    }

    private void assertRight(Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(read(rig.store(), file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private static byte[] read(StripedStore store, String path) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.readFile(path, out);
        return out.toByteArray();
    }

    /** Bytes of blocks, without their heads. */
    private long bytesOn(String node) throws IOException {
        long bytes = 0;
        for (Path block : rig.blockFiles(node)) {
            bytes += Files.size(block) - BlockFormat.headBytes(StorageRig.UNIT);
        }
        return bytes;
    }
}
