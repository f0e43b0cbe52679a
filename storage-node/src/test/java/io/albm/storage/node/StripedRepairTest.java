// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.ScrubReport;
import io.albm.storage.StorageException;
import io.albm.storage.StripedStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scrub finds and repairs over real sockets, disks and ZooKeeper, and how blocks move to other nodes. */
class StripedRepairTest extends StripedStoreHarness {
    @Test
    void removesWhatANodeKeptThatWasAwayDuringADelete() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(9 * UNIT, 15)));
        rig.stopNode("n-1");
        store.delete("/f");
        rig.startNode("n-1");
        assertThat(rig.blockFiles("n-1")).isNotEmpty();
        ScrubReport report = scrub();
        assertThat(report.orphans()).isEqualTo(1);
        assertThat(rig.blockFiles("n-1")).isEmpty();
        assertThat(scrub().clean()).isTrue();
    }

    @Test
    void sparesTheBlocksOfAWriteUnderWay() throws IOException {
        byte[] written = content(40 * UNIT, 16);
        store.writeFile(
                "/f",
                doing(written, 20 * UNIT, () -> assertThat(scrub().orphans()).isZero()));
        assertThat(read("/f")).isEqualTo(written);
    }

    /** In turn: magic, version, generation, stripe, unit, length, checksum of a chunk, of the head, first and another byte. */
    @ParameterizedTest
    @ValueSource(ints = {3, 7, 20, 31, 35, 38, 41, 46, 48, 5000})
    void findsAFlippedBitOfDataAndParityAndRepairsItInPlace(int offset) throws IOException {
        byte[] written = content(20 * UNIT, 17);
        store.writeFile("/f", new ByteArrayInputStream(written));
        for (Path block : rig.blockFiles("n-3")) {
            flipBit(block, offset);
        }
        assertThat(read("/f")).isEqualTo(written);
        ScrubReport report = scrub();
        assertThat(report.whole()).isTrue();
        assertThat(store.counters().repaired() + report.repaired()).isGreaterThanOrEqualTo(5);
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30, 47, 5000})
    void findsABlockThatIsCutOffAndRepairsIt(int left) throws IOException {
        byte[] written = content(20 * UNIT, 38);
        store.writeFile("/f", new ByteArrayInputStream(written));
        for (Path block : rig.blockFiles("n-3")) {
            Files.write(block, Arrays.copyOf(Files.readAllBytes(block), left));
        }
        assertThat(read("/f")).isEqualTo(written);
        assertThat(scrub().whole()).isTrue();
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void makesBlocksAgainThatADiskCannotRead() throws IOException {
        BadSectors disk = new BadSectors(rig.disk("n-3"));
        rig.stopNode("n-3");
        rig.startNode("n-3", new BlockStore(disk, 1L << 32, 0, Runnable::run));
        byte[] written = content(20 * UNIT, 39);
        store.writeFile("/f", new ByteArrayInputStream(written));
        disk.spoil();
        ScrubReport report = scrub();
        assertThat(report.whole()).isTrue();
        assertThat(report.corrupt()).isEqualTo(5).isEqualTo(report.repaired());
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void readsAndRepairsWhatIsSpoiltAtDifferentPlacesOfOneStripe() throws IOException {
        int chunk = ChunkChecksums.CHUNK_BYTES;
        StripedStore large = rig.store(StorageRig.SETTINGS.withUnitBytes(4 * chunk), blocks -> blocks);
        byte[] written = content(4 * 4 * chunk, 36);
        large.writeFile("/f", new ByteArrayInputStream(written));
        for (int i = 1; i <= 4; i++) {
            flipBit(rig.blockFiles("n-" + i).getFirst(), (i - 1) * chunk + 5000);
        }
        assertThat(read("/f")).isEqualTo(written);
        assertThat(store.counters().repaired()).isGreaterThanOrEqualTo(3);
        assertThat(scrub().whole()).isTrue();
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-5");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void namesTheFileWhenTheSamePlaceOfTwoUnitsIsSpoilt() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(4 * UNIT, 37)));
        flipBit(rig.blockFiles("n-1").getFirst(), 5000);
        flipBit(rig.blockFiles("n-2").getFirst(), 5000);
        assertThatExceptionOfType(StorageException.DataLost.class)
                .isThrownBy(() -> read("/f"))
                .withMessageContainingAll("/f", "stripe 0", "2 of its units", "n-1", "n-2");
    }

    @Test
    void doesNotBelieveABlockInTheWrongPlace() throws IOException {
        byte[] written = content(20 * UNIT, 18);
        store.writeFile("/f", new ByteArrayInputStream(written));
        var blocks = rig.blockFiles("n-3");
        Files.copy(blocks.get(0), blocks.get(1), StandardCopyOption.REPLACE_EXISTING);
        assertThat(read("/f")).isEqualTo(written);
        assertThat(scrub().whole()).isTrue();
        assertThat(scrub().clean()).isTrue();
    }

    @Test
    void rebuildsANodeThatCameBackWithAnEmptyDisk() throws IOException {
        byte[] written = content(33 * UNIT + 5, 19);
        store.writeFile("/f", new ByteArrayInputStream(written));
        store.writeFile("/small", new ByteArrayInputStream(content(5000, 20)));
        int before = rig.blockFiles("n-2").size();
        rig.stopNode("n-2");
        rig.wipeDisk("n-2");
        rig.startNode("n-2");
        AtomicInteger calls = new AtomicInteger();
        ScrubReport report = store.scrub(Set.of(new NodeId("n-2")), progress -> calls.incrementAndGet());
        assertThat(report.whole()).isTrue();
        assertThat(report.missing()).isEqualTo(before).isEqualTo(report.repaired());
        assertThat(calls).hasValue(before);
        assertThat(rig.blockFiles("n-2")).hasSize(before);
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-4");
        assertThat(read("/f")).isEqualTo(written);
        assertThat(read("/small")).isEqualTo(content(5000, 20));
    }

    @Test
    void movesALostNodesBlocksToANewNode() throws IOException {
        byte[] written = content(33 * UNIT + 5, 21);
        store.writeFile("/f", new ByteArrayInputStream(written));
        rig.stopNode("n-2");
        rig.startNode("n-6");
        ScrubReport report = store.replace(new NodeId("n-2"), null, progress -> {});
        assertThat(report.whole()).isTrue();
        assertThat(store.stat("/f").orElseThrow().nodes())
                .contains(new NodeId("n-6"))
                .doesNotContain(new NodeId("n-2"));
        assertThat(scrub().clean()).isTrue();
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void movesNothingBesideBlocksThatAnEarlierMoveHasLeft() throws IOException {
        byte[] written = content(33 * UNIT + 5, 23);
        store.writeFile("/f", new ByteArrayInputStream(written));
        Map<Path, byte[]> left = new HashMap<>();
        for (Path file : rig.blockFiles("n-2")) {
            left.put(file, Files.readAllBytes(file));
        }
        rig.startNode("n-6");
        store.replace(new NodeId("n-2"), null, progress -> {});
        for (Map.Entry<Path, byte[]> file : left.entrySet()) {
            Files.createDirectories(rig.disk("n-2").resolve("blocks").resolve(generation(file.getKey())));
            Files.write(file.getKey(), file.getValue());
        }
        List<Path> moved = names(rig.blockFiles("n-3"));
        ScrubReport report = store.replace(new NodeId("n-3"), new NodeId("n-2"), progress -> {});
        assertThat(report.whole()).isTrue();
        assertThat(names(rig.blockFiles("n-2"))).isEqualTo(moved);
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void leavesAloneWhatWasMovedBackBeforeItWasRemoved() throws IOException {
        byte[] written = content(9 * UNIT + 5, 24);
        store.writeFile("/f", new ByteArrayInputStream(written));
        List<Path> blocks = rig.blockFiles("n-2");
        rig.startNode("n-6");
        AtomicInteger sweeps = new AtomicInteger();
        StripedStore late = rig.store(
                StorageRig.SETTINGS,
                between -> new DisturbedBlocks(between, (node, header) -> {}, () -> {
                    if (sweeps.getAndIncrement() == 0) {
                        moveBack();
                    }
                }));
        assertThat(late.replace(new NodeId("n-2"), new NodeId("n-6"), progress -> {})
                        .whole())
                .isTrue();
        assertThat(sweeps).hasPositiveValue();
        assertThat(rig.blockFiles("n-2")).isEqualTo(blocks);
        rig.stopNode("n-1");
        assertThat(read("/f")).isEqualTo(written);
    }

    @Test
    void saysWhenNoNodeCanTakeALostNodesPlace() throws IOException {
        store.writeFile("/f", new ByteArrayInputStream(content(9 * UNIT, 22)));
        rig.stopNode("n-2");
        ScrubReport report = store.replace(new NodeId("n-2"), null, progress -> {});
        assertThat(report.whole()).isFalse();
        assertThat(report.failures()).singleElement().asString().contains("/f", "n-2");
    }

    @Test
    void movesALostNodesBlocksPastANodeThatIsFull() throws IOException {
        byte[] written = content(20 * UNIT, 25);
        for (int i = 0; i < 12; i++) {
            store.writeFile("/f-" + i, new ByteArrayInputStream(written));
        }
        rig.stopNode("n-2");
        rig.startNode("n-6", 4 * UNIT);
        rig.startNode("n-7");
        ScrubReport report = store.replace(new NodeId("n-2"), null, progress -> {});
        assertThat(report.failures()).isEmpty();
        assertThat(rig.blockFiles("n-6")).isEmpty();
        rig.stopNode("n-1");
        for (int i = 0; i < 12; i++) {
            assertThat(read("/f-" + i)).isEqualTo(written);
        }
    }

    @Test
    void namesTheFileWhoseLostBlocksDoNotFitOnTheirNode() throws IOException {
        store.writeFile("/kept", new ByteArrayInputStream(content(4 * UNIT, 39)));
        rig.stopNode("n-5");
        rig.wipeDisk("n-5");
        rig.startNode("n-5", 1);
        ScrubReport report = scrub();
        assertThat(report.whole()).isFalse();
        assertThat(report.failures()).singleElement().asString().startsWith("/kept: storage node n-5 is full");
    }

    @Test
    void countsNothingOfAFileThatIsRemovedMeanwhile() throws IOException {
        store.writeFile("/kept", new ByteArrayInputStream(content(20 * UNIT, 40)));
        store.writeFile("/removed", new ByteArrayInputStream(content(33 * UNIT, 41)));
        ScrubReport report = removingAtTheFirstLook("/removed").scrub(Set.copyOf(rig.nodes()), progress -> {});
        assertThat(report.failures()).isEmpty();
        assertThat(report.missing()).isZero();
        assertThat(report.checked()).isEqualTo(25);
        assertThat(report.whole()).isTrue();
    }

    @Test
    void countsNothingOfAFileThatIsRemovedWhileItIsToMove() throws IOException {
        store.writeFile("/removed", new ByteArrayInputStream(content(33 * UNIT, 42)));
        rig.stopNode("n-2");
        rig.startNode("n-6");
        ScrubReport report =
                removingAtTheFirstLook("/removed").replace(new NodeId("n-2"), new NodeId("n-6"), progress -> {});
        assertThat(report.failures()).isEmpty();
        assertThat(report.missing()).isZero();
        assertThat(report.whole()).isTrue();
    }

    private StripedStore removingAtTheFirstLook(String path) {
        AtomicBoolean isRemoved = new AtomicBoolean();
        return rig.store(
                StorageRig.SETTINGS,
                between -> new WatchedLooks(between, () -> {
                    synchronized (isRemoved) {
                        if (isRemoved.compareAndSet(false, true)) {
                            delete(path);
                        }
                    }
                }));
    }

    private void delete(String path) {
        try {
            store.delete(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void moveBack() {
        try {
            store.replace(new NodeId("n-6"), new NodeId("n-2"), progress -> {});
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Path> names(List<Path> files) {
        return files.stream().map(Path::getFileName).toList();
    }

    private static void flipBit(Path file, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }
}
