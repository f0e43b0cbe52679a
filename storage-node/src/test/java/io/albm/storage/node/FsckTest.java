// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.FsckReport;
import io.albm.storage.Generation;
import io.albm.storage.PutMode;
import io.albm.storage.StripedStore;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fsck says of each kind of damage, online and offline. */
class FsckTest {
    @TempDir
    Path dir;

    private StorageRig rig;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.announce();
        rig.store().writeBytes("/a/f", StorageRig.content(20 * UNIT, 1), PutMode.CREATE);
        shell = new Shell(rig);
    }

    @AfterEach
    void close() throws IOException {
        shell.close();
        rig.close();
    }

    @Test
    void findsNothingWhereNothingIsWrong() {
        assertThat(shell.run("fsck", "--deep")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text())
                .startsWith("2 names, 1 segments, 25 blocks: 0 stripes degraded, 0 lost, 0 orphans")
                .endsWith("clean\n");
    }

    @Test
    void findsAndRepairsWhatANodeHasLost() throws IOException {
        Path block = rig.blockFiles("n-3").getFirst();
        Files.delete(block);
        assertThat(shell.run("fsck", "--json")).isEqualTo(ExitCode.FAILED);
        assertThat(Json.tree(shell.text()).get("degradedStripes").asInt()).isEqualTo(1);
        assertThat(Json.tree(shell.text()).get("damage"))
                .singleElement()
                .asString()
                .contains("/a/f", "n-3", "no block");
        assertThat(block).doesNotExist();
        assertThat(shell.run("fsck", "--repair")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).endsWith("clean\n");
        assertThat(block).exists();
    }

    @Test
    void saysWhichStripesAreLost() throws IOException {
        for (String node : new String[] {"n-1", "n-2"}) {
            for (Path block : rig.blockFiles(node)) {
                Files.delete(block);
            }
        }
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.text()).contains("0 stripes degraded, 5 lost", "/a/f: stripe 4 is lost, it lacks 2 units");
        assertThat(shell.run("fsck", "--repair")).as("what cannot be repaired").isEqualTo(ExitCode.FAILED);
    }

    @Test
    void findsSpoiltBlocksWhenItReadsThem() throws IOException {
        spoil(rig.blockFiles("n-2").getFirst());
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.DONE);
        assertThat(shell.run("fsck", "--deep")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.text()).contains("1 stripes degraded", "n-2", "corrupt");
        assertThat(shell.run("fsck", "--deep", "--repair")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void findsAndRemovesWhatNoFileNeeds() throws IOException {
        ByteBuf body = Unpooled.copiedBuffer(StorageRig.content(100, 1));
        BlockId orphan = new BlockId(new Generation(1, 2), 0, 0);
        rig.blocks()
                .write(new NodeId("n-4"), BlockHeader.of(orphan, body), WriteMode.NEW, null, body)
                .join();
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).contains("1 orphans", "LEFTOVERS").doesNotContain("DAMAGED");
        assertThat(shell.run("fsck", "--repair")).isEqualTo(ExitCode.DONE);
        assertThat(rig.blockFiles("n-4")).hasSize(5);
    }

    @Test
    void countsTheStripesThatASilentNodeLeavesDegraded() {
        rig.stopNode("n-5");
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).contains("5 stripes degraded, 0 lost", "no answer: n-5");
    }

    @Test
    void takesWhatIsRemovedWhileItLooksForNoDamage() throws IOException {
        StripedStore store = rig.store();
        FsckReport report = store.over(blocks -> SealsDisturbed.once(blocks, () -> store.delete("/a/f")))
                .check(false);
        assertThat(report.damage()).isEmpty();
        assertThat(report.lostStripes()).isZero();
        assertThat(report.clean()).isTrue();
    }

    @Test
    void checksWhatIsMovedWhileItLooksWhereItIsThen() throws IOException {
        StripedStore store = rig.store();
        rig.startNode("n-6");
        rig.startNode("n-7");
        FsckReport report = store.over(blocks -> SealsDisturbed.once(blocks, () -> {
                    move(store, "n-1", "n-6");
                    move(store, "n-2", "n-7");
                    Files.delete(rig.blockFiles("n-7").getFirst());
                }))
                .check(false);
        assertThat(report.damage()).singleElement().asString().contains("/a/f", "n-7", "no block");
        assertThat(report.blocks()).isEqualTo(25);
        assertThat(report.degradedStripes()).isEqualTo(1);
        assertThat(report.lostStripes()).isZero();
    }

    /** Who rebuilds it knows that the node is gone; whether it is, does not matter to who needs nothing of it. */
    @Test
    void doesNotMissANodeThatNothingLiesOnAnyMore() throws IOException {
        rig.startNode("n-6");
        rig.stopNode("n-2");
        StripedStore store = rig.store();
        FsckReport report = store.over(blocks -> SealsDisturbed.once(blocks, () -> move(store, "n-2", "n-6")))
                .check(false);
        assertThat(report.clean()).isTrue();
        assertThat(report.segments()).isEqualTo(1);
    }

    private static void move(StripedStore store, String from, String to) throws IOException {
        assertThat(store.replace(new NodeId(from), new NodeId(to), progress -> {})
                        .whole())
                .isTrue();
    }

    @Test
    void checksTheDiskOfAStoppedNode() throws IOException {
        rig.stopNode("n-1");
        Path disk = rig.disk("n-1");
        assertThat(shell.run("fsck", "--disk", disk.toString())).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).startsWith("5 good blocks").endsWith("clean\n");
        Path spoilt = rig.blockFiles("n-1").get(0);
        spoil(spoilt);
        Path cut = rig.blockFiles("n-1").get(1);
        Files.write(cut, new byte[10]);
        Path moved = rig.blockFiles("n-1").get(2);
        Files.move(moved, moved.resolveSibling("77-1"));
        Files.writeString(moved.resolveSibling("notes"), "stray");
        Files.createDirectory(disk.resolve("blocks/no-generation"));
        Files.writeString(Files.createDirectories(disk.resolve("tmp")).resolve("3"), "half");
        Files.writeString(Files.createDirectories(disk.resolve("fences")).resolve("job"), "x");
        assertThat(shell.run("fsck", "--disk", disk.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(shell.text())
                .startsWith("2 good blocks")
                .contains("1 temporary files", "does not match its checksums", "cut off", "another block")
                .contains("notes: stray file", "no-generation: stray directory", "fences/job is corrupt");
        assertThat(disk.resolve("tmp/3")).exists();
        assertThat(shell.run("fsck", "--disk", dir.resolve("none").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("none", "expected a storage node's data directory");
        assertThat(shell.run("fsck", "--repair", "--disk", disk.toString())).isEqualTo(ExitCode.USAGE);
    }

    private static void spoil(Path block) throws IOException {
        byte[] bytes = Files.readAllBytes(block);
        bytes[bytes.length / 2] ^= 1;
        Files.write(block, bytes);
    }
}
