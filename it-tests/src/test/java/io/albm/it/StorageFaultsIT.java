// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.FileInfo;
import io.albm.storage.FileTable;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.StorageException;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import io.albm.storage.TableQuery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the striped storage promises under faults of real processes: every operation ends in time, what was acknowledged is
 * there byte for byte, and when the processes are back all is as redundant as before.
 */
@Order(0)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StorageFaultsIT {
    private static final int FILE_BYTES = 2 << 20;
    private static final byte[] OLD = content(1);
    private static final byte[] NEW = content(2);
    private static final Duration LONGER_THAN_A_SESSION = Duration.ofSeconds(30);

    private final StorageCluster cluster;

    StorageFaultsIT(@TempDir Path directory) throws IOException {
        cluster = new StorageCluster(directory, "16MiB");
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    /** The first of the lost is the leader of the file table, and has blocks to be made again. */
    @ParameterizedTest
    @CsvSource({"KILL, 1", "STOP, 1", "KILL, 2", "STOP, 2"})
    void asManyNodesAsThereIsParityMayBeLostInTheMiddleOfEverything(Signal fault, int count) throws Exception {
        StripedStore store = cluster.store(count);
        for (String path : new String[] {"/kept", "/spoilt", "/streamed", "/replaced", "/name-0"}) {
            store.writeBytes(path, OLD, PutMode.REPLACE);
        }
        List<String> lost = leaderAndOthers(count);
        String first = lost.getFirst();
        spoil(first, store.stat("/spoilt").orElseThrow());
        Midway<byte[]> read = Midway.of(cluster, count, 8, held -> read(held, "/kept"));
        Midway<FileInfo> write =
                Midway.of(cluster, count, 12, held -> held.writeBytes("/replaced", NEW, PutMode.REPLACE));
        Midway<FileInfo> stream = Midway.of(
                cluster,
                count,
                12,
                held -> held.writeFile("/streamed", new ByteArrayInputStream(NEW), PutMode.REPLACE));
        Midway<ScrubReport> scrub = Midway.of(cluster, count, 12, StorageFaultsIT::scrub);
        Midway<ScrubReport> rebuild =
                Midway.of(cluster, count, 12, held -> held.scrub(Set.of(new NodeId(first)), progress -> {}));
        FileTable table = count == 1 ? cluster.table().early() : cluster.table();
        Renaming renaming = new Renaming(table, "name-");
        renaming.awaitMore();

        lost.forEach(node -> cluster.lose(node, fault));
        try {
            Stream.of(read, write, stream, scrub, rebuild).forEach(Midway::goOn);
            assertThat(read.result()).isEqualTo(OLD);
            assertThat(names(write.result().nodes())).doesNotContainAnyElementsOf(lost);
            assertThat(lost).contains(stream.failure().node().orElseThrow().value());
            assertThat(scrub.result().failures()).isEmpty();
            assertThat(lost).containsAll(names(scrub.result().unreachable()));
            assertThat(rebuild.result().failures()).isEmpty();
            assertThat(names(rebuild.result().unreachable())).containsExactly(first);
            renaming.awaitMore();
        } finally {
            cluster.getBack(lost);
        }
        String name = "/" + renaming.end();
        StripedStore.await(table.sync());
        assertThat(store.list("/name-")).extracting(FileInfo::path).containsExactly(name);
        requireWhole();
        for (String path : new String[] {"/kept", "/spoilt", "/streamed", name}) {
            assertThat(read(store, path)).as(path).isEqualTo(OLD);
        }
        assertThat(read(store, "/replaced")).isEqualTo(NEW);
        store.delete(name);
    }

    /** One that goes on when its session is over has lost its write, too. */
    @Test
    void clientsLostInTheMiddleOfAWriteLeaveNothing() throws Exception {
        StripedStore store = cluster.store(1);
        Map<NodeId, Long> before = cluster.bytesOnDisk();
        Process killed = beginPut("/unfinished/1");
        Process stopped = beginPut("/unfinished/2");
        Signal.KILL.to(killed.pid());
        Signal.STOP.to(stopped.pid());
        await().until(() -> scrub(store).whole() && cluster.bytesOnDisk().equals(before));
        Signal.CONT.to(stopped.pid());
        stopped.getOutputStream().close();
        assertThat(stopped.waitFor()).isNotZero();
        assertThat(store.list("/unfinished")).isEmpty();
    }

    /** Stores standard input, and has stored some of it. */
    private Process beginPut(String path) throws IOException {
        Map<NodeId, Long> before = cluster.bytesOnDisk();
        Process client = cluster.start("storage", "put", "-", path, "--unit", "64KiB");
        client.getOutputStream().write(NEW);
        client.getOutputStream().flush();
        await().failFast("it ended", () -> !client.isAlive())
                .until(() -> !cluster.bytesOnDisk().equals(before));
        return client;
    }

    @Test
    void withoutZooKeeperAnOpenFileIsReadAndAllGoesOnWhenItIsBack() throws Exception {
        StripedStore store = cluster.store(1);
        store.writeBytes("/kept", OLD, PutMode.REPLACE);
        store.writeBytes("/replaced", OLD, PutMode.REPLACE);
        Midway<byte[]> read = Midway.of(cluster, 1, 8, held -> read(held, "/kept"));
        Midway<FileInfo> write = Midway.of(cluster, 1, 12, held -> held.writeBytes("/replaced", NEW, PutMode.REPLACE));
        FileTable impatient = cluster.table(LONGER_THAN_A_SESSION);
        cluster.lose(StorageCluster.ZOOKEEPER, Signal.STOP);
        try {
            read.goOn();
            write.goOn();
            assertThat(read.result()).isEqualTo(OLD);
            assertThatExceptionOfType(StorageException.TableUnavailable.class)
                    .isThrownBy(() -> StripedStore.await(impatient.ask(new TableQuery.Find("/kept"))));
        } finally {
            cluster.getBack(List.of(StorageCluster.ZOOKEEPER));
        }
        List<byte[]> contents =
                write.wasDone().map(done -> List.of(done ? NEW : OLD)).orElse(List.of(OLD, NEW));
        requireWhole();
        assertThat(contents).contains(read(store, "/replaced"));
        store.writeBytes("/replaced", OLD, PutMode.REPLACE);
        assertThat(read(store, "/replaced")).isEqualTo(OLD);
    }

    @Test
    void whatDoesNotFitIsRefusedAndLeavesAllElseAsItWas() throws Exception {
        StripedStore store = cluster.store(1);
        store.writeBytes("/kept", OLD, PutMode.REPLACE);
        Map<NodeId, Long> before = cluster.bytesOnDisk();
        assertThatExceptionOfType(StorageException.NoSpace.class)
                .isThrownBy(() -> store.writeBytes("/large", new byte[100 << 20], PutMode.CREATE))
                .withMessageContainingAll("storage node storage-", "is full", "capacity");
        assertThat(store.stat("/large")).isEmpty();
        assertThat(read(store, "/kept")).isEqualTo(OLD);
        assertThat(cluster.bytesOnDisk()).isEqualTo(before);
        store.writeBytes("/replaced", NEW, PutMode.REPLACE);
        assertThat(read(store, "/replaced")).isEqualTo(NEW);
    }

    @Test
    void moreLostNodesThanParityHarmOnlyWhatLiesOnThemAndNameIt() throws Exception {
        StripedStore store = cluster.mirrored();
        Map<String, List<String>> files = new TreeMap<>();
        for (int n = 0; n < 8; n++) {
            String path = "/pairs/" + n;
            files.put(path, names(store.writeBytes(path, OLD, PutMode.CREATE).nodes()));
        }
        List<String> lost = names(store.stat("/pairs/0").orElseThrow().nodes());
        cluster.lose(lost.getFirst(), Signal.KILL);
        Midway<ScrubReport> replacement =
                Midway.of(cluster, 1, 6, held -> held.replace(new NodeId(lost.getFirst()), null, progress -> {}));
        cluster.lose(lost.getLast(), Signal.KILL);
        try {
            replacement.goOn();
            assertThat(replacement.result().failures())
                    .anyMatch(failure -> failure.startsWith("/pairs/0: "))
                    .allMatch(failure -> failure.startsWith("/"));
            requireReadable(store, files, lost);
        } finally {
            cluster.getBack(lost);
        }
        requireWhole();
        requireReadable(store, files, List.of());
        for (String path : files.keySet()) {
            store.delete(path);
        }
    }

    private static void requireReadable(StripedStore store, Map<String, List<String>> files, List<String> lost)
            throws IOException {
        for (Map.Entry<String, List<String>> file : files.entrySet()) {
            if (lost.containsAll(file.getValue())) {
                assertThatExceptionOfType(StorageException.DataLost.class)
                        .isThrownBy(() -> read(store, file.getKey()))
                        .withMessageContaining(file.getKey() + ": stripe 0")
                        .withMessageContainingAll(lost.toArray(String[]::new));
            } else {
                assertThat(read(store, file.getKey())).as(file.getKey()).isEqualTo(OLD);
            }
        }
    }

    @Test
    void aNodeThatIsBackWithAnOldDiskIsNotBelieved() throws Exception {
        StripedStore store = cluster.store(1);
        store.writeBytes("/kept", OLD, PutMode.REPLACE);
        store.writeBytes("/replaced", OLD, PutMode.REPLACE);
        store.writeBytes("/removed", OLD, PutMode.REPLACE);
        String node = cluster.leader();
        cluster.lose(node, Signal.KILL);
        DirectoryCopy old = DirectoryCopy.of(cluster.data(node));
        cluster.getBack(List.of(node));
        cluster.awaitWhole();
        store.writeBytes("/replaced", NEW, PutMode.REPLACE);
        store.delete("/removed");
        cluster.lose(node, Signal.KILL);
        old.restore();
        cluster.getBack(List.of(node));
        cluster.awaitWhole();
        assertThat(read(store, "/replaced")).isEqualTo(NEW);
        assertThat(read(store, "/kept")).isEqualTo(OLD);
        assertThat(store.stat("/removed")).isEmpty();
    }

    /** Nothing is missing or wrong, nothing is there that nobody needs, and the nodes know how much they hold. */
    @AfterEach
    void requireWhole() throws IOException {
        cluster.awaitWhole();
        StripedStore store = cluster.store(1);
        assertThat(scrub(store)).matches(ScrubReport::whole);
        assertThat(scrub(store)).matches(ScrubReport::clean);
        Map<NodeId, Long> used = new TreeMap<>();
        store.space().nodes().forEach((node, space) -> used.put(node, space.used()));
        assertThat(used).isEqualTo(cluster.bytesOnDisk());
    }

    private List<String> leaderAndOthers(int count) {
        List<String> nodes = new ArrayList<>(StorageCluster.nodes());
        String leader = cluster.leader();
        nodes.remove(leader);
        nodes.addFirst(leader);
        return nodes.subList(0, count);
    }

    /** Flips a bit in each block of a file on a node. */
    private void spoil(String node, FileInfo file) throws IOException {
        for (Path block :
                cluster.blockFiles(node, file.content().segments().getFirst().generation())) {
            try (RandomAccessFile bytes = new RandomAccessFile(block.toFile(), "rw")) {
                bytes.seek(bytes.length() / 2);
                int before = bytes.read();
                bytes.seek(bytes.length() / 2);
                bytes.write(before ^ 1);
            }
        }
    }

    private static ScrubReport scrub(StripedStore store) throws IOException {
        return store.scrub(store.nodes(), progress -> {});
    }

    private static byte[] read(StripedStore store, String path) throws IOException {
        try (StripedInputStream in = store.open(path)) {
            return in.readAllBytes();
        }
    }

    private static List<String> names(Collection<NodeId> nodes) {
        return nodes.stream().map(NodeId::value).toList();
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
