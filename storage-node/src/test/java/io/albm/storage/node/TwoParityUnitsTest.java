// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.StorageException;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes lost at once, over real sockets and disks. */
class TwoParityUnitsTest {
    private static final NodeId N_3 = new NodeId("n-3");
    private static final NodeId N_4 = new NodeId("n-4");

    @TempDir
    Path dir;

    private StorageRig rig;
    private StripedStore store;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 6);
        store = rig.store(StorageRig.SETTINGS.withParityUnits(2), blocks -> blocks);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void readsOnWhenTwoNodesAreLostInTheMiddle() throws IOException {
        byte[] written = content(60 * UNIT + 5, 1);
        store.writeBytes("/f", written, PutMode.CREATE);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (StripedInputStream in = store.open("/f")) {
            got.write(in.readNBytes(5 * UNIT));
            rig.stopNode("n-3");
            rig.stopNode("n-4");
            in.transferTo(got);
        }
        assertThat(got.toByteArray()).isEqualTo(written);
        rig.stopNode("n-1");
        got.reset();
        assertThatExceptionOfType(StorageException.DataLost.class)
                .isThrownBy(() -> store.readFile("/f", got))
                .withMessageContainingAll("/f: stripe", "3 of its units", "n-1", "n-3", "n-4");
        assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(written, got.size()));
        rig.startNode("n-4");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void writesOverTheOtherNodesWhenTwoAreLostOnTheWay() throws IOException {
        byte[] written = content(40 * UNIT, 2);
        AtomicInteger writes = new AtomicInteger();
        StripedStore losing = rig.store(
                StorageRig.SETTINGS.withParityUnits(2),
                blocks -> new DisturbedBlocks(blocks, (node, header) -> {
                    switch (writes.incrementAndGet()) {
                        case 5 -> rig.stopNode("n-2");
                        case 20 -> rig.stopNode("n-5");
                        default -> {}
                    }
                }));
        FileInfo file = losing.writeBytes("/f", written, PutMode.CREATE);
        assertThat(file.nodes()).doesNotContain(new NodeId("n-2"), new NodeId("n-5"));
        assertThat(file.content().segments().getFirst().geometry().parityUnits())
                .isEqualTo(2);
        rig.stopNode("n-1");
        rig.stopNode("n-6");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void rebuildsTwoNodesThatCameBackWithEmptyDisks() throws IOException {
        byte[] written = content(33 * UNIT + 5, 3);
        store.writeBytes("/f", written, PutMode.CREATE);
        for (String node : List.of("n-2", "n-6")) {
            rig.stopNode(node);
            rig.wipeDisk(node);
            rig.startNode(node);
        }
        ScrubReport report = store.scrub(Set.copyOf(rig.nodes()), progress -> {});
        assertThat(report.whole()).isTrue();
        assertThat(report.missing()).isPositive().isEqualTo(report.repaired());
        rig.stopNode("n-1");
        rig.stopNode("n-3");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void repairsWhatTwoNodesHaveSpoiltOfAStripe() throws IOException {
        byte[] written = content(20 * UNIT, 4);
        store.writeBytes("/f", written, PutMode.CREATE);
        spoil("n-1");
        spoil("n-4");
        assertThat(read("/f")).isEqualTo(written);
        assertThat(store.scrub(Set.copyOf(rig.nodes()), progress -> {}).whole()).isTrue();
        rig.stopNode("n-2");
        rig.stopNode("n-3");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void readsWhatOneNodeHasSpoiltWithAnotherLost() throws IOException {
        byte[] written = content(20 * UNIT, 5);
        store.writeBytes("/f", written, PutMode.CREATE);
        spoil("n-1");
        rig.stopNode("n-4");
        assertThat(read("/f")).isEqualTo(written);
    }

    /** Each asks which files there are before the other has moved any. */
    @Test
    void rebuildsTwoNodesThatAreGoneSideBySide() throws IOException {
        byte[] written = content(33 * UNIT + 5, 6);
        store.writeBytes("/f", written, PutMode.CREATE);
        replaceWithOthers("n-3", "n-4");
        ScrubReport report = beforeTheFirstSeal(() -> {
                    assertThat(store.replace(N_3, null, progress -> {}).whole()).isTrue();
                })
                .replace(N_4, null, progress -> {});
        assertThat(report.whole()).isTrue();
        assertThat(report.repaired()).isPositive();
        assertThat(store.stat("/f").orElseThrow().nodes()).doesNotContain(N_3, N_4);
        assertThat(store.check(true).clean()).isTrue();
        rig.stopNode("n-1");
        rig.stopNode("n-2");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void leavesAFileAloneThatIsRemovedBeforeItMoves() throws IOException {
        store.writeBytes("/f", content(12 * UNIT, 7), PutMode.CREATE);
        replaceWithOthers("n-4");
        ScrubReport report = beforeTheFirstSeal(() -> store.delete("/f")).replace(N_4, null, progress -> {});
        assertThat(report.failures()).isEmpty();
        assertThat(store.list("/")).isEmpty();
    }

    @Test
    void saysWhichFileOthersMoveAgainAndAgain() throws IOException {
        store.writeBytes("/f", content(12 * UNIT, 8), PutMode.CREATE);
        replaceWithOthers("n-4");
        NodeId[] there = {N_3, new NodeId("n-7")};
        StripedStore disturbed = store.over(blocks -> SealsDisturbed.always(blocks, () -> {
            assertThat(store.replace(there[0], there[1], progress -> {}).whole())
                    .isTrue();
            Collections.reverse(Arrays.asList(there));
        }));
        assertThat(disturbed.replace(N_4, null, progress -> {}).failures())
                .singleElement()
                .asString()
                .startsWith("/f: others have moved segment");
        assertThat(store.replace(N_4, null, progress -> {}).whole()).isTrue();
        assertThat(store.check(true).whole()).isTrue();
    }

    private StripedStore beforeTheFirstSeal(SealsDisturbed.Act act) {
        return store.over(blocks -> SealsDisturbed.once(blocks, act));
    }

    /** Takes nodes away for good; others come. */
    private void replaceWithOthers(String... lost) throws IOException {
        rig.startNode("n-7");
        rig.startNode("n-8");
        for (String node : lost) {
            rig.stopNode(node);
        }
    }

    private void spoil(String node) throws IOException {
        for (Path block : rig.blockFiles(node)) {
            byte[] bytes = Files.readAllBytes(block);
            bytes[bytes.length / 2] ^= 1;
            Files.write(block, bytes);
        }
    }

    private byte[] read(String path) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.readFile(path, out);
        return out.toByteArray();
    }
}
