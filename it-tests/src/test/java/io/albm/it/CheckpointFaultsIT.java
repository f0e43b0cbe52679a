// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.protocol.Aborted;
import io.albm.checkpoint.protocol.PackId;
import io.albm.core.node.NodeId;
import io.albm.core.zookeeper.SessionSettings;
import io.albm.it.CheckpointPhase.Held;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of faults: each process that takes part in a checkpoint is killed, and stopped for a while, in each phase of it, in
 * which the checkpoint is held until then; then what disks and networks do. One job lives through all of it.
 */
@Order(0)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class CheckpointFaultsIT {
    private static final Logger log = LoggerFactory.getLogger(CheckpointFaultsIT.class);
    private static final int LAST = Integer.MAX_VALUE;

    private final CheckpointCluster cluster;
    private final CheckpointCheck check;

    CheckpointFaultsIT(@TempDir Path directory) throws IOException {
        cluster = new CheckpointCluster(directory);
        check = new CheckpointCheck(cluster);
        await().until(() -> !cluster.job().events("started").isEmpty());
        for (int n = 0; n < 3; n++) {
            oneMoreCheckpoint();
        }
        check.run();
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    /** In an order in which a process that was killed can start while others are struck. */
    static Stream<Arguments> table() {
        return Stream.of(Signal.KILL, Signal.STOP)
                .flatMap(signal -> Arrays.stream(CheckpointPhase.values())
                        .flatMap(phase -> Arrays.stream(CheckpointFault.values())
                                .map(struck -> Arguments.of(signal, struck, phase))));
    }

    @ParameterizedTest(name = "{0} to {1} in {2}")
    @MethodSource("table")
    void nothingIsLostWhicheverProcessIsStruckInWhicheverPhase(
            Signal signal, CheckpointFault struck, CheckpointPhase phase) throws IOException {
        cluster.awaitWhole();
        Held held = stand(phase);
        long number = cluster.next() - 1;
        long epoch = cluster.epoch();
        if (signal == Signal.KILL) {
            struck.kill(cluster, held);
        } else {
            struck.stop(cluster, phase, held);
        }
        cluster.awaitSettled();
        // On a slow machine ZooKeeper may be away for longer than sessions last: then it may end as if the leader had
        // been struck.
        if (phase.isRecorded() || struck == CheckpointFault.COORDINATOR || cluster.epoch() == epoch) {
            assertThat(cluster.isCommitted(number))
                    .as("checkpoint %d is complete", number)
                    .isEqualTo(struck.isSurvived(signal, phase));
        }
        requireOneMore();
    }

    /** When that is noticed is ZooKeeper's: a session's length and a tick of its server. */
    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "DRAIN"})
    void whenACoordinatorDiesTheOtherOneTakesOverWithItsSession(CheckpointPhase phase) throws IOException {
        cluster.awaitWhole();
        Held held = stand(phase);
        String leader = cluster.leader();
        String other = cluster.standby();
        cluster.killCoordinator(leader);
        long killed = System.nanoTime();
        await().until(() -> cluster.leads(other));
        held.release();
        cluster.awaitSettled();
        log.info(
                "{} ms from the death of the coordinator in {} to the end of the checkpoint, sessions of {} ms",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed),
                phase,
                SessionSettings.DEFAULT.sessionTimeout().toMillis());
        cluster.startCoordinator(leader);
        requireOneMore();
    }

    /** Its connection to ZooKeeper stands still, that to the job does not: it goes on as if it led. */
    @Test
    void ofTwoCoordinatorsThatBelieveToLeadOnlyOneIsHeard() throws IOException {
        cluster.awaitWhole();
        String old = cluster.leader();
        Hold deaf = cluster.relay(old).holdReply(_ -> true);
        await().until(deaf::isReached);
        cluster.depose(old);
        assertThat(cluster.leads(old)).as("the old one believes that it leads").isTrue();
        requireOneMore();
        deaf.release();
        cluster.awaitOneLeader();
        requireOneMore();
    }

    @Test
    void aFullLocalDiskEndsTheCheckpointAndNotTheJob() throws IOException {
        int attempts = cluster.job().events("started").size();
        long number = cluster.next();
        Files.createSymbolicLink(cluster.localCopies().resolve(number + "-1.tmp"), Path.of("/dev/full"));
        cluster.begin();
        cluster.awaitSettled();
        Aborted aborted = cluster.ask(cluster.records()::aborted);
        assertThat(aborted.number()).isEqualTo(number);
        assertThat(aborted.reason()).startsWith("rank 1 could not save: ").contains("No space left");
        requireOneMore();
        assertThat(cluster.job().events("started")).as("no rank was restarted").hasSize(attempts);
    }

    @Test
    void aCheckpointWaitsUntilFullStorageHasRoom() throws IOException {
        cluster.awaitWhole();
        int fillers = fill();
        long latest = cluster.latest();
        long before = sent();
        cluster.begin();
        await().alias("storing was tried").until(() -> sent() > before && cluster.isVoted());
        assertThat(cluster.latest()).isEqualTo(latest);
        for (int n = 0; n < fillers; n++) {
            cluster.store().delete("/filler/" + n);
        }
        cluster.awaitSettled();
        assertThat(cluster.latest()).as("the one that waited").isGreaterThan(latest);
        requireOneMore();
    }

    private long sent() {
        return CheckpointCluster.NODES.stream()
                .map(cluster::storageRelay)
                .mapToLong(StorageRelay::passed)
                .sum();
    }

    /** Until not even the smallest unit has room. */
    private int fill() throws IOException {
        int files = 0;
        for (int bytes = 8 << 20; bytes >= 8 << 10; bytes /= 4) {
            try {
                while (true) {
                    cluster.store().writeBytes("/filler/" + files, new byte[bytes], PutMode.CREATE);
                    files++;
                }
            } catch (StorageException.NoSpace full) {
                // Smaller ones may have room.
            }
        }
        return files;
    }

    /** Damage to one node's blocks, as a disk does it, and then a restart that has no local copies. */
    @ParameterizedTest
    @EnumSource
    void aDamagedUnitIsMadeAgainFromParity(Damage damage) throws IOException {
        cluster.awaitWhole();
        oneMoreCheckpoint();
        List<Path> blocks = blocksOfOneNode();
        assertThat(blocks).isNotEmpty();
        for (Path block : blocks) {
            damage.to(block);
        }
        check.run();
        restartRanksFromStorage();
        requireOneMore();
    }

    /** What can become of a block. */
    enum Damage {
        BIT_FLIP {
            @Override
            void to(Path block) throws IOException {
                try (RandomAccessFile bytes = new RandomAccessFile(block.toFile(), "rw")) {
                    bytes.seek(bytes.length() / 2);
                    int before = bytes.read();
                    bytes.seek(bytes.length() / 2);
                    bytes.write(before ^ 1);
                }
            }
        },
        TORN {
            @Override
            void to(Path block) throws IOException {
                try (RandomAccessFile bytes = new RandomAccessFile(block.toFile(), "rw")) {
                    bytes.setLength(bytes.length() / 2);
                }
            }
        };

        abstract void to(Path block) throws IOException;
    }

    private List<Path> blocksOfOneNode() throws IOException {
        String node = nodesOfNewest().getFirst();
        List<Path> blocks = new ArrayList<>();
        for (FileInfo file : cluster.store().list(cluster.records().paths().files(cluster.latest()))) {
            Path directory =
                    cluster.blocks(node, file.content().segments().getFirst().generation());
            if (Files.exists(directory)) {
                try (Stream<Path> found = Files.walk(directory)) {
                    found.filter(Files::isRegularFile).forEach(blocks::add);
                }
            }
        }
        return blocks;
    }

    /** Those that have what rank 0 stored last. */
    private List<String> nodesOfNewest() throws IOException {
        String pack = cluster.records().paths().pack(new PackId(cluster.latest(), 0));
        return cluster.store().stat(pack).orElseThrow().nodes().stream()
                .map(NodeId::value)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRestartDoesWithoutOneLostNodeAndWaitsForTheSecond(int lost) throws IOException {
        cluster.awaitWhole();
        oneMoreCheckpoint();
        List<String> nodes = nodesOfNewest().subList(0, lost);
        nodes.forEach(cluster::kill);
        int attempts = cluster.job().events("started").size();
        if (lost == 1) {
            restartRanksFromStorage();
        } else {
            int notices = cluster.job().events("notice").size();
            killRankWithoutLocalCopies();
            await().until(() -> cluster.job().events("notice").size() > notices);
            assertThat(cluster.job().events("notice").getLast().path("text").asText())
                    .startsWith("waits for the cluster before going back: ")
                    .contains(nodes.getFirst());
            assertThat(cluster.job().events("started")).hasSize(attempts);
        }
        for (String node : nodes) {
            cluster.restart(node);
        }
        await().until(() -> cluster.job().events("started").size() > attempts);
        cluster.awaitWhole();
        assertThat(cluster.job().events("rollback").getLast().path("checkpoint").asLong())
                .as("not an older one")
                .isEqualTo(cluster.latest());
        requireOneMore();
    }

    private void restartRanksFromStorage() throws IOException {
        int attempts = cluster.job().events("started").size();
        killRankWithoutLocalCopies();
        await().until(() -> cluster.job().events("started").size() > attempts);
    }

    /** Its host removes those that are older than the last checkpoint, too, soon after that. */
    private void killRankWithoutLocalCopies() throws IOException {
        try (Stream<Path> copies = Files.list(cluster.localCopies())) {
            for (Path copy : copies.toList()) {
                Files.deleteIfExists(copy);
            }
        }
        Signal.KILL.to(cluster.job().pids().getLast());
    }

    @Test
    @Order(LAST)
    void theResultIsThatOfARunAlone() throws IOException {
        Files.createFile(cluster.gate(PairRank.END));
        assertThat(cluster.job().awaitExit()).isZero();
        List<String> printed = cluster.job().printed();
        long step = Long.parseLong(printed.getLast().replaceAll("pair: step ([0-9]+) .*", "$1"));
        assertThat(printed)
                .contains(
                        "pair: step " + step + " sha256 " + check.hash(step, 0),
                        "pair: step " + step + " sha256 " + check.hash(step, 1));
    }

    private Held stand(CheckpointPhase phase) throws IOException {
        Held held = phase.arm(cluster);
        cluster.begin(held::isReached);
        return held;
    }

    /** The job goes on, and all that must hold does. */
    private void requireOneMore() {
        oneMoreCheckpoint();
        check.run();
    }

    private void oneMoreCheckpoint() {
        long latest = cluster.latest();
        await().until(() -> {
            cluster.begin();
            cluster.awaitSettled();
            return cluster.latest() > latest;
        });
    }
}
