// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on several hosts, each a real job-host, of which one is lost: the heat example, and programs that hand their states over. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobHostsIT {
    private static final String NAME = "job-hosts-it";

    private final Path directory;
    private final LocalCluster cluster;
    private final String undisturbed;
    private final Map<String, RoleUnderTest> hosts = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    JobHostsIT(@TempDir Path directory) throws Exception {
        this.directory = directory;
        Path docs = Files.createDirectories(directory.resolve("docs"));
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(0, 4)
                .onFreePorts();
        cluster = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
        for (String host : List.of("a", "b", "c", "d")) {
            startHost(host);
        }
        undisturbed = Heat.undisturbed();
        hosts.values().forEach(RoleUnderTest::awaitReady);
    }

    @AfterEach
    void killWhatAFailedTestLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @AfterAll
    void stop() throws Exception {
        hosts.values().forEach(RoleUnderTest::close);
        cluster.close();
    }

    @Test
    void aBrandNewHostTakesTheRanksOfOneThatWasKilledAndTheResultIsThatOfAnUndisturbedRun() throws Exception {
        Job job = run("host-killed", "500ms", "--hosts", "a,b,c", "--spares", "e", "--no-spread")
                .awaitCheckpointAfter(0);
        assertThat(hostsOf(job)).containsExactly("a", "b", "c");
        host("b").kill();
        await().until(() -> !job.events("host-lost").isEmpty());
        startHost("e").awaitReady();
        assertThat(job.awaitExit()).as(job.text()).isZero();
        assertThat(job.hash()).isEqualTo(undisturbed);
        assertThat(hostsOf(job)).containsExactly("a", "e", "c");
        assertThat(job.events("host-lost"))
                .singleElement()
                .satisfies(lost -> assertThat(lost.path("host").asText()).isEqualTo("b"));
        assertThat(job.events("rollback"))
                .singleElement()
                .satisfies(rollback ->
                        assertThat(rollback.path("checkpoint").asLong()).isPositive());
        assertThat(directory.resolve("host-e/jobs/host-killed/restored"))
                .as("fetched from the striped store")
                .isDirectoryContaining("glob:**/rank-1");
    }

    @Test
    void ranksOfAHostThatIsStoppedEndBeforeASpareTakesThem() throws Exception {
        Job job = run("host-stopped", "500ms", "--hosts", "c,d", "--spares", "a", "--host-lease", "2s")
                .awaitCheckpointAfter(0);
        long rank = job.pids().get(2);
        Signal.STOP.to(host("d").pid());
        await().until(() -> job.events("started").size() == 2);
        assertThat(hasEnded(rank)).as("by itself").isTrue();
        Signal.CONT.to(host("d").pid());
        assertThat(job.awaitExit()).as(job.text()).isZero();
        assertThat(job.hash()).isEqualTo(undisturbed);
        assertThat(hostsOf(job)).containsExactly("c", "c", "a");
    }

    @Test
    void aSpareReadsTheRanksOfAKilledHostFromItsPartnerAndNothingFromTheStripedStore() throws Exception {
        ready("f", "g", "h", "i");
        Job job = run("partner", "1h", "--hosts", "f,g,h", "--spares", "i", "--no-spread", "--partner");
        copied(job, "partner", "h");
        long checkpoint = job.lastCheckpoint();
        host("g").kill();
        assertThat(job.awaitExit()).as(job.text()).isZero();
        assertThat(job.hash()).isEqualTo(undisturbed);
        assertThat(hostsOf(job)).containsExactly("f", "i", "h");
        assertThat(job.events("restored")).singleElement().satisfies(restored -> {
            assertThat(restored.path("checkpoint").asLong()).isEqualTo(checkpoint);
            assertThat(restored.path("localBytes").asLong()).as("ranks 0 and 2").isPositive();
            assertThat(restored.path("partnerBytes").asLong()).as("rank 1").isPositive();
            assertThat(restored.path("storedBytes").asLong()).isZero();
        });
    }

    @Test
    void theNextRunFindsTheCopyThatTheLastOneMadeAndTakesNoSpoiltPageOfIt() throws Exception {
        ready("f", "k", "h", "i");
        List<String> options =
                List.of("--hosts", "f,k,h", "--spares", "i", "--no-spread", "--partner", "--host-lease", "2s");
        Job first = run("partner-again", "1h", options.toArray(String[]::new));
        Path copy = copied(first, "partner-again", "f");
        Signal.KILL.to(first.process().pid());
        host("k").kill();
        spoilAPage(copy);
        Job second = run("partner-again", 3, "1h", Heat.command(0), options.toArray(String[]::new));
        assertThat(second.awaitExit()).as(second.text()).isZero();
        assertThat(second.hash()).isEqualTo(undisturbed);
        assertThat(hostsOf(second)).containsExactly("f", "i", "h");
        assertThat(second.events("restored")).singleElement().satisfies(restored -> {
            assertThat(restored.path("partnerBytes").asLong()).as("whole pages").isPositive();
            assertThat(restored.path("storedBytes").asLong())
                    .as("the spoilt page")
                    .isPositive();
        });
    }

    /** Has a checkpoint taken, and waits until rank 1 is copied; returns where. */
    private Path copied(Job job, String name, String partner) throws Exception {
        await().until(() -> !job.events("started").isEmpty());
        Albm.Result triggered =
                Albm.in(directory).run("ckpt", "trigger", name, "--zookeeper", cluster.zooKeeper(), "--cluster", NAME);
        assertThat(triggered.exitCode()).as(triggered.err() + job.text()).isZero();
        job.awaitCheckpointAfter(0);
        Path copy = directory.resolve("host-" + partner + "/jobs/" + name + "/partner/" + job.lastCheckpoint() + "-1");
        await().until(() -> Files.exists(copy));
        return copy;
    }

    /** One that is not zeros: those are not looked for in any copy. */
    private static void spoilAPage(Path copy) throws IOException {
        byte[] bytes = Files.readAllBytes(copy);
        int at = 0;
        while (bytes[at] == 0) {
            at++;
        }
        bytes[at]++;
        Files.write(copy, bytes);
    }

    private void ready(String... ids) throws IOException {
        for (String id : ids) {
            if (!hosts.containsKey(id)) {
                startHost(id);
            }
        }
        for (String id : ids) {
            host(id).awaitReady();
        }
    }

    @Test
    void aProgramThatHandsItsStatesOverEndsWithItsKilledJobHostBeforeASpareTakesIt() throws Exception {
        Path shared = Files.createDirectory(directory.resolve("shared-killed"));
        startHost("m").awaitReady();
        Job job = runHandedOver("handed-over-killed", shared, "m,c").awaitCheckpointAfter(0);
        host("m").kill();
        assertDoneWithoutOrphans(job, shared);
        assertThat(hostsOf(job)).containsExactly("a", "c");
    }

    @Test
    void aProgramThatHandsItsStatesOverEndsByTheLeaseOfItsStoppedJobHost() throws Exception {
        Path shared = Files.createDirectory(directory.resolve("shared-stopped"));
        startHost("n").awaitReady();
        Job job = runHandedOver("handed-over-stopped", shared, "c,n").awaitCheckpointAfter(0);
        long rank = job.pids().get(1);
        Signal.STOP.to(host("n").pid());
        await().until(() -> job.events("started").size() == 2);
        assertThat(hasEnded(rank)).as("while its job-host is stopped").isTrue();
        Signal.CONT.to(host("n").pid());
        assertDoneWithoutOrphans(job, shared);
        assertThat(hostsOf(job)).containsExactly("c", "a");
    }

    /** Its other half, which has left the session, writes to what attempts share. */
    private Job runHandedOver(String name, Path shared, String hosts) throws IOException {
        String half = "while sleep 0.01; do echo $ALBM_ATTEMPT >> \"$SHARED/rank-$ALBM_RANK\"; done";
        return run(
                name,
                2,
                "500ms",
                SummingShell.command("0.1", "setsid sh -c '" + half + "' > /dev/null 2>&1 &"),
                "--handover",
                "--hosts",
                hosts,
                "--spares",
                "a",
                "--host-lease",
                "3s",
                "--env",
                "SHARED=" + shared);
    }

    /** Its parent, which is stopped, has not taken notice yet. */
    private static boolean hasEnded(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        return Files.notExists(stat) || Files.readString(stat).contains(") Z ");
    }

    private static List<String> hostsOf(Job job) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode host : job.events("started").getLast().path("hosts")) {
            names.add(host.asText());
        }
        return names;
    }

    private RoleUnderTest host(String id) {
        RoleUnderTest host = hosts.get(id);
        if (host == null) {
            throw new AssertionError("no host " + id);
        }
        return host;
    }

    private RoleUnderTest startHost(String id) throws IOException {
        RoleUnderTest host = RoleUnderTest.start(
                directory,
                "job-host",
                "--id",
                id,
                "--port",
                "0",
                "--admin-port",
                "0",
                "--cluster",
                NAME,
                "--zookeeper",
                cluster.zooKeeper(),
                "--data",
                directory.resolve("host-" + id).toString());
        hosts.put(id, host);
        return host;
    }

    private void assertDoneWithoutOrphans(Job job, Path shared) throws IOException {
        assertThat(job.awaitExit()).as(job.text()).isZero();
        assertThat(SummingShell.results(job)).containsExactlyInAnyOrder(SummingShell.result(0), SummingShell.result(1));
        assertThat(job.events("rollback"))
                .singleElement()
                .satisfies(
                        rollback -> assertThat(rollback.path("step").asLong()).isPositive());
        for (String rank : List.of("0", "1")) {
            assertThat(Files.readAllLines(shared.resolve("rank-" + rank)))
                    .as("no attempt writes beside a later one")
                    .contains("1", "2")
                    .isSorted();
        }
    }

    private Job run(String name, String interval, String... options) throws IOException {
        return run(name, 3, interval, Heat.slowUntilKilled(), options);
    }

    private Job run(String name, int ranks, String interval, List<String> rank, String... options) throws IOException {
        Job job = Job.start(directory, cluster.zooKeeper(), NAME, name, ranks, interval, rank, options);
        started.add(job.process());
        return job;
    }
}
