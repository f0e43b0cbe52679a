// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeId;
import io.albm.core.wire.WireException;
import io.albm.storage.Fence;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store over real sockets, disks and ZooKeeper, with the faults that it must survive. */
class StripedStoreTest extends StripedStoreHarness {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, UNIT - 1, UNIT, UNIT + 1, 4 * UNIT, 4 * UNIT + 1, 9 * UNIT + 77, 40 * UNIT})
    void givesBackWhatWasWritten(int length) throws IOException {
        byte[] written = content(length, 1);
        FileInfo file = store.writeFile("a/file", new ByteArrayInputStream(written));
        assertThat(file.length()).isEqualTo(length);
        assertThat(read("a/file")).isEqualTo(written);
        assertThat(store.stat("/a/file")).contains(file);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, UNIT, 2 * UNIT + 3, 4 * UNIT, 13 * UNIT + 5})
    void readsTheRightBytesWithAnyOneNodeLost(int length) throws IOException {
        byte[] written = content(length, 2);
        store.writeFile("/f", new ByteArrayInputStream(written));
        for (int lost = 1; lost <= 5; lost++) {
            rig.stopNode("n-" + lost);
            assertThat(read("/f")).as("without n-%d", lost).isEqualTo(written);
            rig.startNode("n-" + lost);
        }
    }

    @Test
    void readsOnWhenANodeIsLostInTheMiddle() throws IOException {
        byte[] written = content(60 * UNIT, 3);
        store.writeFile("/f", new ByteArrayInputStream(written));
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (StripedInputStream in = store.open("/f")) {
            got.write(in.readNBytes(5 * UNIT));
            rig.stopNode("n-3");
            in.transferTo(got);
        }
        assertThat(got.toByteArray()).isEqualTo(written);
    }

    @Test
    void givesBytesWhereTheyWereReceived() throws IOException {
        byte[] written = content(21 * UNIT + 7, 3);
        store.writeFile("/f", new ByteArrayInputStream(written));
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (StripedInputStream in = store.open("/f")) {
            got.write(in.readNBytes(UNIT / 2));
            for (ByteBuffer bytes = in.next(); bytes != null; bytes = in.next()) {
                assertThat(bytes.isDirect()).isTrue();
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                got.write(copy);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(got.toByteArray()).isEqualTo(written);
    }

    @Test
    void failsClearlyAndGivesNoWrongByteWithTwoNodesLost() throws IOException {
        byte[] written = content(20 * UNIT, 4);
        store.writeFile("/f", new ByteArrayInputStream(written));
        rig.stopNode("n-1");
        rig.stopNode("n-2");
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        assertThatExceptionOfType(StorageException.DataLost.class)
                .isThrownBy(() -> store.readFile("/f", got))
                .withMessageContainingAll("/f", "2 of its units", "n-1", "n-2");
        assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(written, got.size()));
        rig.startNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void failsAWriteWhoseNodeIsLostAndLeavesNothingVisible(int lostAfterStripes) throws IOException {
        byte[] written = content(40 * UNIT, 5);
        assertThatExceptionOfType(StorageException.NodeUnreachable.class)
                .isThrownBy(() -> store.writeFile("/f", losing("n-2", written, lostAfterStripes * 4 * UNIT)))
                .withMessageContaining("n-2");
        assertThat(store.stat("/f")).isEmpty();
        rig.startNode("n-2");
        assertThat(scrub().failures()).isEmpty();
        for (NodeId node : rig.nodes()) {
            assertThat(rig.blockFiles(node.value())).isEmpty();
        }
    }

    @Test
    void writesASourceThatCanBeReadAgainOverTheOtherNodes() throws IOException {
        byte[] written = content(10 * UNIT, 6);
        AtomicInteger writes = new AtomicInteger();
        StripedStore losingStore = rig.store(
                StorageRig.SETTINGS,
                blocks -> new DisturbedBlocks(blocks, (node, header) -> {
                    if (writes.incrementAndGet() == 3) {
                        rig.stopNode("n-4");
                    }
                }));
        FileInfo file = losingStore.writeBytes("/f", written, PutMode.CREATE);
        assertThat(file.nodes()).hasSizeLessThanOrEqualTo(5);
        assertThat(read("/f")).isEqualTo(written);
        assertThat(file.nodes().contains(new NodeId("n-4")) ? file.nodes().size() : 4)
                .isEqualTo(4);
    }

    /** Of content that says how much it is, nothing goes on its way that would have to come back. */
    @Test
    void knowsBeforeTheFirstBlockThatLongContentDoesNotFit() throws IOException {
        for (int i = 3; i <= 5; i++) {
            rig.stopNode("n-" + i);
            rig.startNode("n-" + i, 8L << 20);
        }
        AtomicInteger writes = new AtomicInteger();
        StripedStore counting = rig.store(
                StorageRig.SETTINGS, blocks -> new DisturbedBlocks(blocks, (node, header) -> writes.incrementAndGet()));
        byte[] content = content(80 << 20, 13);
        assertThatExceptionOfType(StorageException.NoSpace.class)
                .isThrownBy(() -> counting.writeBytes("/f", content, PutMode.CREATE))
                .withMessageContainingAll("full", "capacity");
        assertThat(writes).hasValue(0);
        assertThat(scrub().clean()).isTrue();
        assertThat(store.space().nodes().values()).allMatch(node -> node.used() == 0);
    }

    @Test
    void setsRoomAsideOnlyWhileLongContentIsWritten() throws IOException {
        byte[] content = content(80 << 20, 14);
        store.writeBytes("/f", content, PutMode.CREATE);
        assertThat(read("/f")).isEqualTo(content);
        store.space()
                .nodes()
                .values()
                .forEach(node -> assertThat(node.free() + node.used()).isEqualTo(node.capacity()));
    }

    @Test
    void refusesToReplaceUnlessAsked() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(10, 7)));
        assertThatExceptionOfType(StorageException.FileExists.class)
                .isThrownBy(() -> store.writeFile("/f", InputStream.nullInputStream()))
                .withMessageContaining("/f");
        assertThat(read("/f")).isEqualTo(content(10, 7));
    }

    @Test
    void replacesInOneStepAndRemovesTheOldBlocks() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(9 * UNIT, 8)));
        FileInfo file = store.writeBytes("/f", content(5 * UNIT, 9), PutMode.REPLACE);
        assertThat(read("/f")).isEqualTo(content(5 * UNIT, 9));
        for (NodeId node : rig.nodes()) {
            assertThat(rig.blockFiles(node.value()))
                    .allMatch(path -> path.toString()
                            .contains(file.content().segments().getFirst().generation()));
        }
    }

    @Test
    void keepsTheOldFileWhenAReplacementFails() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(9 * UNIT, 10)));
        assertThatExceptionOfType(StorageException.NodeUnreachable.class)
                .isThrownBy(() ->
                        store.writeFile("/f", losing("n-5", content(40 * UNIT, 11), 8 * UNIT), PutMode.REPLACE));
        assertThat(read("/f")).isEqualTo(content(9 * UNIT, 10));
    }

    @Test
    void tellsAReaderWhoseFileWasReplaced() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(60 * UNIT, 12)));
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (StripedInputStream in = store.open("/f")) {
            got.write(in.readNBytes(UNIT));
            store.writeBytes("/f", content(60 * UNIT, 13), PutMode.REPLACE);
            assertThatExceptionOfType(StorageException.FileChanged.class).isThrownBy(() -> in.transferTo(got));
        }
        assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(content(60 * UNIT, 12), got.size()));
    }

    @Test
    void leavesNothingBehindADelete() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(9 * UNIT, 14)));
        store.delete("/f");
        assertThat(store.stat("/f")).isEmpty();
        for (NodeId node : rig.nodes()) {
            assertThat(rig.blockFiles(node.value())).isEmpty();
        }
        assertThatExceptionOfType(StorageException.NoSuchFile.class).isThrownBy(() -> store.delete("/f"));
    }

    @Test
    void failsCleanlyWhenANodeIsFullAndKeepsWhatIsCommitted() throws IOException {
        byte[] kept = content(20 * UNIT, 23);
        store.writeFile("/kept", new ByteArrayInputStream(kept));
        rig.stopNode("n-5");
        rig.startNode("n-5", 7L * UNIT);
        assertThatExceptionOfType(StorageException.NoSpace.class)
                .isThrownBy(() -> store.writeFile("/f", new ByteArrayInputStream(content(60 * UNIT, 24))))
                .withMessageContainingAll("n-5", "full", "capacity");
        assertThat(store.stat("/f")).isEmpty();
        assertThat(read("/kept")).isEqualTo(kept);
        assertThat(scrub().clean()).isTrue();
        store.delete("/kept");
        store.writeFile("/again", new ByteArrayInputStream(content(20 * UNIT, 25)));
    }

    @Test
    void refusesAnOlderWriterForGood() throws IOException {
        StripedStore old = store.withFence(new Fence("job-7", 1));
        StripedStore now = store.withFence(new Fence("job-7", 2));
        old.writeBytes("/f", content(5000, 26), PutMode.CREATE);
        now.writeBytes("/g", content(5000, 27), PutMode.CREATE);
        assertThatExceptionOfType(StorageException.Fenced.class)
                .isThrownBy(() -> old.writeBytes("/f", content(5001, 28), PutMode.REPLACE));
        assertThatExceptionOfType(StorageException.Fenced.class).isThrownBy(() -> old.delete("/f"));
        for (int i = 1; i <= 5; i++) {
            rig.stopNode("n-" + i);
            rig.startNode("n-" + i);
        }
        assertThatExceptionOfType(StorageException.Fenced.class)
                .isThrownBy(() -> old.writeBytes("/h", content(5001, 29), PutMode.CREATE));
        assertThat(read("/f")).isEqualTo(content(5000, 26));
    }

    @Test
    void mirrorsOverTwoNodesAndWorksWithoutParityOverOne() throws IOException {
        for (int i = 3; i <= 5; i++) {
            rig.stopNode("n-" + i);
        }
        byte[] written = content(10 * UNIT, 30);
        store.writeBytes("/mirrored", written, PutMode.CREATE);
        rig.stopNode("n-1");
        assertThat(read("/mirrored")).isEqualTo(written);
        assertThatExceptionOfType(StorageException.TooFewNodes.class)
                .isThrownBy(() -> store.writeBytes("/f", written, PutMode.CREATE));
        StripedStore plain = rig.store(new StripeSettings(UNIT, 4, 0, 3, Duration.ofSeconds(5)), blocks -> blocks);
        plain.writeBytes("/plain", written, PutMode.CREATE);
        assertThat(read("/plain")).isEqualTo(written);
    }

    @Test
    void sumsTheRoomOfAllNodes() throws IOException {
        store.writeBytes("/f", content(8 * UNIT, 31), PutMode.CREATE);
        rig.stopNode("n-1");
        var space = store.space();
        assertThat(space.nodes()).hasSize(4);
        assertThat(space.used()).isEqualTo(4 * 2 * (UNIT + 48L));
    }

    @Test
    void servesOnAfterAHostileFrame() throws IOException {
        for (byte[] header : new byte[][] {{}, {1, 2, 3}, content(60_000, 33)}) {
            assertThatThrownBy(() -> rig.client()
                            .call(
                                    rig.address("n-1"),
                                    0x90,
                                    Unpooled.copiedBuffer(header),
                                    Unpooled.copiedBuffer(content(100, 34)),
                                    Duration.ofSeconds(5))
                            .join())
                    .hasRootCauseInstanceOf(WireException.class);
        }
        store.writeBytes("/f", content(8 * UNIT, 35), PutMode.CREATE);
        assertThat(read("/f")).isEqualTo(content(8 * UNIT, 35));
    }

    @Test
    void listsByPrefix() throws IOException {
        for (String path : new String[] {"/b/2", "/a/1", "/b/1", "/bb"}) {
            store.writeBytes(path, content(3, 32), PutMode.CREATE);
        }
        assertThat(store.list("b/")).extracting(FileInfo::path).containsExactly("/b/1", "/b/2");
        assertThat(store.list("/")).extracting(FileInfo::path).containsExactly("/a/1", "/b/1", "/b/2", "/bb");
    }

    @Test
    void writesAgainWhatCanBeReadAgainIfItsSessionEndsOnTheWay() throws IOException {
        byte[] written = content(40 * UNIT, 61);
        AtomicInteger opened = new AtomicInteger();
        StripedStore.Source source = () -> opened.incrementAndGet() == 1
                ? doing(written, 8 * UNIT, rig::endSessions)
                : new ByteArrayInputStream(written);
        store.writeFile("/f", source, PutMode.CREATE);
        assertThat(opened).hasValue(2);
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void aStreamWhoseSessionEndsOnTheWayIsNotVisible() throws IOException {
        InputStream stream = doing(content(40 * UNIT, 62), 8 * UNIT, rig::endSessions);
        assertThatExceptionOfType(StorageException.WriteExpired.class)
                .isThrownBy(() -> store.writeFile("/f", stream, PutMode.CREATE))
                .withMessageContainingAll("/f", "write it again");
        assertThat(store.stat("/f")).isEmpty();
    }

    private static InputStream losing(String node, byte[] content, int offset) {
        return doing(content, offset, () -> rig.stopNode(node));
    }
}
