// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.Inflight;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The commands about checkpoints as a shell sees them, on a real ZooKeeper and real storage. */
class CheckpointCommandsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    static Path dir;

    static StoredJobs jobs;

    private CommandShell shell;
    private String job = "";

    @BeforeAll
    static void startCluster() throws IOException {
        jobs = StoredJobs.start(dir.resolve("cluster"));
    }

    @AfterAll
    static void stopCluster() throws IOException {
        jobs.close();
    }

    /** Three complete checkpoints of two ranks: 1 at noon, 2 and 3 an hour later each. */
    @BeforeEach
    void makeJob(TestInfo test) {
        shell = new CommandShell(jobs.zooKeeper());
        job = "t" + Integer.toUnsignedString(test.getDisplayName().hashCode(), 36);
        jobs.create(job, 2);
        for (int number = 1; number <= 3; number++) {
            jobs.commit(job, number, NOON.plusSeconds(3600L * (number - 1)));
        }
    }

    @AfterEach
    void releaseOutput() {
        shell.close();
    }

    @Test
    void showsOneCheckpointWhole() {
        assertThat(ckpt("show", job, "2")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text())
                .contains(
                        "2 of job " + job,
                        "2026-03-01T13:00:00Z",
                        "12 ms",
                        "34 ms",
                        "/checkpoints/" + job + "/2/rank-1")
                .contains("until newer ones are there", "never; 'albm ckpt verify' does it");
        assertThat(ckpt("show", job, "--json")).isEqualTo(ExitCode.DONE);
        JsonNode newest = shell.json();
        assertThat(newest.path("checkpoint").path("number").asLong()).isEqualTo(3);
        assertThat(newest.path("manifest").path("units")).hasSize(2);
        assertThat(newest.path("pinned").asBoolean()).isFalse();
    }

    @Test
    void listsJobsWithTheCheckpointInFlight() {
        assertThat(ckpt("ls", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(line().path("latest").asLong()).isEqualTo(3);
        assertThat(line().path("inFlight").isNull()).isTrue();
        jobs.begin(job, new Inflight(4, 3, 0, Map.of(), Instant.EPOCH, 0));
        assertThat(ckpt("ls")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern(job + " +2 +coordinated +interrupted +3 +4 saving +-");
        LocalCopy copy = new LocalCopy(40, 7);
        jobs.begin(job, new Inflight(5, 3, 45, Map.of(0, copy, 1, copy), NOON, 12));
        assertThat(ckpt("ls", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(line().path("inFlight"))
                .isEqualTo(Json.tree("{\"number\": 5, \"phase\": \"draining\", \"step\": 45}"));
    }

    /** What the list of jobs has of this test's. */
    private JsonNode line() {
        return shell.json()
                .valueStream()
                .filter(line -> line.path("job").asText().equals(job))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void remembersWhenEveryByteWasReadLastAndWhatWasFound() {
        assertThat(ckpt("verify", job, "3")).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("show", job, "3")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("every byte read +20.*: good");
        jobs.overwrite(job, 2, 1, "other bytes");
        assertThat(ckpt("verify", job)).isEqualTo(ExitCode.FAILED);
        assertThat(shell.text()).contains("checkpoint 1: good", "checkpoint 2: BAD: ", "checkpoint 3: good");
        assertThat(ckpt("show", job, "2")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains(": BAD: pack of rank 1 of checkpoint 2: 11 bytes, and no directory");
    }

    @Test
    void aCheckpointThatIsRetiredWhileTheyAreReadIsNotBad() {
        shell.whenPrinted("checkpoint 1: good", () -> jobs.retire(job, 2));
        assertThat(ckpt("verify", job)).isEqualTo(ExitCode.DONE);
        assertThat(shell.text())
                .contains("checkpoint 2: retired while it was read", "checkpoint 3: good")
                .doesNotContain("BAD");
    }

    @Test
    void aCheckpointThatCannotBeReadNowIsNotBad() throws IOException {
        try (StoredJobs away = StoredJobs.start(dir.resolve("away"))) {
            away.create(job, 2);
            away.commit(job, 1, NOON);
            away.commit(job, 2, NOON);
            away.overwrite(job, 2, 1, "too long for the file table".repeat(10_000));
            shell.whenPrinted("checkpoint 1: good", away::stopNodes);
            assertThat(shell.run(
                            "ckpt", "verify", job, "--zookeeper", away.zooKeeper(), "--cluster", StoredJobs.CLUSTER))
                    .isEqualTo(ExitCode.DEGRADED);
            assertThat(shell.text())
                    .contains("checkpoint 2: cannot be read now: ")
                    .doesNotContain("BAD");
            assertThat(away.store(job).verified().join()).containsOnlyKeys(1L);
        }
    }

    @Test
    void pinsAndUnpins() {
        assertThat(ckpt("pin", job, "2")).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("pin", job, "2")).as("again does no harm").isEqualTo(ExitCode.DONE);
        assertThat(ckpt("ls", job)).isEqualTo(ExitCode.DONE);
        assertThat(shell.text().lines().filter(line -> line.contains("pinned")))
                .singleElement()
                .asString()
                .contains("/2/");
        assertThat(ckpt("unpin", job, "2")).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("unpin", job, "2")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("is not pinned").hasLineCount(1);
        assertThat(ckpt("pin", job, "9")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors())
                .contains("no complete checkpoint 9", "albm ckpt ls " + job)
                .hasLineCount(1);
        assertThat(ckpt("pin", "no-such-job", "1")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("no job 'no-such-job'").hasLineCount(1);
        assertThat(ckpt("pin", job, "two")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void restoresTheStatesOfAllRanksIntoANewDirectory() throws IOException {
        Path newest = dir.resolve(job + "/newest");
        assertThat(ckpt("restore", job, "--to", newest.toString())).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("checkpoint 3 of job " + job, "2 ranks");
        assertThat(newest.resolve("rank-1")).hasBinaryContent(StoredJobs.state(job, 3, 1));
        assertThat(newest.resolve("manifest.json")).exists();
        Path early = Files.createDirectories(dir.resolve(job + "/early"));
        assertThat(ckpt("restore", job, "--before", "2026-03-01T13:59:59Z", "--to", early.toString(), "--json"))
                .isEqualTo(ExitCode.DONE);
        assertThat(shell.json().path("number").asLong()).isEqualTo(2);
        assertThat(early.resolve("rank-0")).hasBinaryContent(StoredJobs.state(job, 2, 0));
        assertThat(ckpt("restore", job, "--id", "1", "--to", early.toString())).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("not an empty directory").hasLineCount(1);
        assertThat(ckpt("restore", job, "--id", "1", "--before", "2026-03-01T13:00", "--to", "x"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ckpt(
                        "restore",
                        job,
                        "--before",
                        "2026-03-01T11:59:59Z",
                        "--to",
                        dir.resolve("none").toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("none of 3 at or before").hasLineCount(1);
        assertThat(ckpt(
                        "restore",
                        job,
                        "--before",
                        "yesterday",
                        "--to",
                        dir.resolve("none").toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(shell.errors()).contains("'yesterday' is no time").hasLineCount(1);
    }

    @Test
    void leavesNothingOfAStateThatIsNotWhatWasStored() throws IOException {
        jobs.overwrite(job, 3, 1, "other bytes");
        Path target = dir.resolve(job + "/bad");
        assertThat(ckpt("restore", job, "--to", target.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors())
                .contains("checkpoint 3 cannot be fetched", "pack of rank 1 of checkpoint 3")
                .hasLineCount(1);
        try (Stream<Path> left = Files.list(dir.resolve(job))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void removesOneCheckpointButNeverTheLastThatARestartCouldUse() {
        assertThat(ckpt("pin", job, "1")).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("rm", job, "1")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("is pinned").hasLineCount(1);
        assertThat(ckpt("rm", job, "3")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("is the newest").hasLineCount(1);
        assertThat(ckpt("rm", job, "2")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("its files go with the next checkpoint");
        assertThat(ckpt("rm", job, "3", "--force")).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("rm", job, "1", "--force")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("the only one").hasLineCount(1);
        assertThat(ckpt("rm", job, "2")).isEqualTo(ExitCode.FAILED);
        assertThat(jobs.files(job, 1)).hasSize(5);
        assertThat(ckpt("verify", job)).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("rm", job)).isEqualTo(ExitCode.DONE);
        assertThat(ckpt("show", job)).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void aRemovalOfWhichTheReplyIsLostIsDone() throws IOException {
        try (LostReply wire = new LostReply(NodeAddress.parse(jobs.zooKeeper()))) {
            assertThat(shell.run(
                            "ckpt", "rm", job, "2", "--zookeeper", wire.address(), "--cluster", StoredJobs.CLUSTER))
                    .isEqualTo(ExitCode.DONE);
            assertThat(wire.isLost()).isTrue();
        }
        assertThat(shell.text()).contains("removed checkpoint 2");
        assertThat(jobs.store(job).committedNumbers().join()).containsExactly(1L, 3L);
    }

    @Test
    void aRemovalThatIsDoneLateDoesNotMakeTheNextTryFail() {
        JobStore store = jobs.store(job);
        DurableState before = store.read().join();
        store.remove(2, before).join();
        assertThat(store.remove(2, before)).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void removesFilesThatARemovalHasLeft() {
        jobs.overwrite("gone", 1, 0, "left");
        assertThat(ckpt("rm", "gone/1")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("no job 'gone/1'").hasLineCount(1);
        assertThat(ckpt("rm", "gone")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("removed job gone and 1 files");
        assertThat(jobs.files("gone", 1)).isEmpty();
        assertThat(ckpt("rm", "gone")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("no job 'gone'").hasLineCount(1);
    }

    /** Takes as long as the storage's own deadline, half a minute: ZooKeeper, which answers, would be blamed after 10 s. */
    @Test
    void aJobWhoseFilesCannotBeListedKeepsItsRecords() {
        try (ZooKeeperCluster bare = ZooKeeperCluster.connect(jobs.zooKeeper(), "bare")) {
            JobStore store = new JobStore(bare.store(), job);
            store.create(jobs.store(job).spec().join().orElseThrow()).join();
            assertThat(shell.run("ckpt", "rm", job, "--zookeeper", jobs.zooKeeper(), "--cluster", "bare"))
                    .isEqualTo(ExitCode.FAILED);
            assertThat(shell.errors())
                    .contains("job " + job + " is left as it is", "storage")
                    .doesNotContain("ZooKeeper")
                    .hasLineCount(1);
            assertThat(store.spec().join()).isPresent();
        }
    }

    @Test
    void countsOutWhatTheJobWasTakenBackFrom() {
        jobs.goBackTo(job, 1);
        assertThat(ckpt("show", job, "--json")).isEqualTo(ExitCode.DONE);
        assertThat(shell.json().path("checkpoint").path("number").asLong()).isEqualTo(1);
        assertThat(ckpt("show", job, "3")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("of a past that the job has left");
        assertThat(ckpt("rm", job, "1", "--force")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("the only one").hasLineCount(1);
        assertThat(ckpt("rm", job, "3")).as("nobody goes on from it").isEqualTo(ExitCode.DONE);
    }

    @Test
    void neitherHaltsNorCheckpointsAJobThatDoesNotRun() {
        for (String command : List.of("halt", "trigger")) {
            assertThat(ckpt(command, job)).isEqualTo(ExitCode.REFUSED);
            assertThat(shell.errors())
                    .contains("does not run", "albm job run --name " + job)
                    .hasLineCount(1);
            assertThat(ckpt(command, "no-such-job")).isEqualTo(ExitCode.FAILED);
        }
    }

    /** Which one is the last is decided when ranks are told to save. */
    @Test
    void aCheckpointThatHadBegunWhenTheJobWasHaltedMayBeItsLast() {
        jobs.begin(job, new Inflight(4, 3, 0, Map.of(), Instant.EPOCH, 0));
        onceHalting(() -> {
            jobs.commit(job, 4, NOON.plusSeconds(3 * 3600));
            jobs.store(job).endHalt().join();
        });
        assertThat(ckpt("halt", job, "--json")).as(shell.errors()).isEqualTo(ExitCode.DONE);
        assertThat(shell.json().path("number").asLong()).isEqualTo(4);
    }

    @Test
    void aJobWhoseSupervisorDiesBeforeItsLastCheckpointWasNotHalted() {
        jobs.begin(job, new Inflight(4, 3, 0, Map.of(), Instant.EPOCH, 0));
        onceHalting(() -> jobs.commit(job, 4, NOON.plusSeconds(3 * 3600)));
        assertThat(ckpt("halt", job)).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors())
                .contains("ended before its last checkpoint was complete", "from checkpoint 4")
                .hasLineCount(1);
        assertThat(jobs.store(job).isHalting().join()).isFalse();
    }

    /** What becomes of a job that runs, from when it is asked to halt until nobody runs it any more. */
    private void onceHalting(Runnable end) {
        jobs.supervise(job);
        Thread.startVirtualThread(() -> {
            await().until(() -> jobs.store(job).isHalting().join());
            end.run();
            jobs.leave(job);
        });
    }

    @Test
    void asksNothingOfAJobForATimeThatMakesNoSense() {
        JobStore store = jobs.store(job);
        jobs.supervise(job);
        for (String command : List.of("halt", "trigger")) {
            assertThat(ckpt(command, job, "--timeout", "60")).isEqualTo(ExitCode.CONFIG);
            assertThat(shell.errors()).contains("--timeout", "60").hasLineCount(1);
        }
        assertThat(store.isHalting().join()).isFalse();
    }

    @Test
    void aJobThatFindsTooFewHostsLeavesNoRecord() {
        assertThat(shell.onCluster("job", "run", "--name", "homeless", "--hosts", "2", "--ranks", "2", "true"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("2 hosts are wanted, none answers");
        assertThat(shell.onCluster("ckpt", "ls")).isZero();
        assertThat(shell.text()).contains(job).doesNotContain("homeless");
    }

    @Test
    void everyCommandHasExamples() {
        for (String command : List.of("ls", "show", "trigger", "halt", "verify", "restore", "pin", "unpin", "rm")) {
            assertThat(shell.run("ckpt", command, "--help")).isEqualTo(ExitCode.DONE);
            assertThat(shell.text()).contains("albm ckpt " + command);
        }
    }

    private int ckpt(String... arguments) {
        return shell.onCluster(
                Stream.concat(Stream.of("ckpt"), Stream.of(arguments)).toArray(String[]::new));
    }
}
