// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The heat example as a job of a real cluster, with each of its processes killed in turn. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobIT {
    private static final String NAME = "job-it";

    private final Path directory;
    private final LocalCluster cluster;
    private final String undisturbed;
    private final List<Process> started = new ArrayList<>();

    JobIT(@TempDir Path directory) throws Exception {
        this.directory = directory;
        Path docs = Files.createDirectories(directory.resolve("docs"));
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(0, 4)
                .onFreePorts();
        cluster = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
        undisturbed = Heat.undisturbed();
    }

    @AfterEach
    void killWhatAFailedTestLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @AfterAll
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aKilledRankTakesAllBackAndTheResultIsThatOfAnUndisturbedRun() throws Exception {
        Job job = run("rank-killed", Heat.slowUntilKilled()).awaitCheckpointAfter(0);
        long victim = job.pids().get(1);
        kill(victim);
        assertThat(job.awaitExit()).isZero();
        assertThat(job.hash()).isEqualTo(undisturbed);
        assertThat(job.events("rank-died"))
                .extracting(event -> event.path("pid").asLong())
                .contains(victim);
        assertThat(job.events("rollback"))
                .singleElement()
                .satisfies(rollback ->
                        assertThat(rollback.path("checkpoint").asLong()).isPositive());
        assertThat(job.text()).as("no stack trace").doesNotContain("\\tat ");
    }

    @Test
    void namesEachRankThatDiedNotOnlyTheFirstSeen() throws Exception {
        String script = """
                case $ALBM_ATTEMPT$ALBM_RANK in
                10) echo $$ > pid.tmp; mv pid.tmp pid; while :; do sleep 0.1; done ;;
                11) until kill -9 "$(cat pid)"; do sleep 0.1; done; exit 3 ;;
                esac
                """;
        Job job = runCommand("two-died", 2, List.of("sh", "-c", script));
        assertThat(job.awaitExit()).isZero();
        assertThat(job.events("rank-died"))
                .extracting(event -> event.path("exit").asInt())
                .containsExactlyInAnyOrder(3, 137);
    }

    @Test
    void aProgramThatHandsItsStatesOverGoesOnFromThem() throws Exception {
        Job job = runCommand("handed-over", 2, SummingShell.command("0.05", ":"), "--handover")
                .awaitCheckpointAfter(0);
        kill(job.pids().get(1));
        assertThat(job.awaitExit()).isZero();
        assertThat(job.events("rollback"))
                .singleElement()
                .satisfies(
                        rollback -> assertThat(rollback.path("step").asLong()).isPositive());
        assertThat(SummingShell.results(job)).containsExactlyInAnyOrder(SummingShell.result(0), SummingShell.result(1));
    }

    @Test
    void theJobRunsOnWithoutACoordinatorAndIsCheckpointedAgainWhenOneIsBack() throws Exception {
        Job job = run("coordinator-killed", 40).awaitCheckpointAfter(0);
        cluster.kill("coordinator");
        long before = job.lastCheckpoint();
        cluster.restart("coordinator");
        cluster.awaitReady("coordinator");
        job.awaitCheckpointAfter(before);
        assertThat(job.awaitExit()).isZero();
        assertThat(job.hash()).isEqualTo(undisturbed);
        assertThat(job.events("started")).as("ranks were never restarted").hasSize(1);
    }

    @Test
    void afterItsSupervisorWasKilledNoRankIsLeftAndTheSameCommandGoesOn() throws Exception {
        Job first = run("supervisor-killed", Heat.slowUntilKilled()).awaitCheckpointAfter(0);
        List<Long> ranks = first.pids();
        kill(first.process().pid());
        await().until(() -> ranks.stream().noneMatch(JobIT::isAlive));
        Job second = run("supervisor-killed", 0);
        assertThat(second.awaitExit()).isZero();
        assertThat(second.hash()).isEqualTo(undisturbed);
        assertThat(second.events("started"))
                .singleElement()
                .satisfies(start ->
                        assertThat(start.path("checkpoint").asLong()).isGreaterThanOrEqualTo(first.lastCheckpoint()));
    }

    @Test
    void aJobThatIsInterruptedStopsItsRanksAndSaysHowItGoesOn() throws Exception {
        Job job = runCommand("interrupted", 1, List.of("sleep", "600"));
        await().until(() -> !job.events("started").isEmpty());
        List<Long> ranks = job.pids();
        Signal.TERM.to(job.process().pid());
        assertThat(job.awaitExit()).isEqualTo(143);
        assertThat(ranks).noneMatch(JobIT::isAlive);
        assertThat(job.err())
                .hasContent(
                        "albm: interrupted: job interrupted is stopped; the same command goes on with its last checkpoint");
    }

    @Test
    void aHaltedJobEndsAtTheStepThatWasSavedAndTheSameCommandGoesOn() throws Exception {
        Job first = run("halted", 40).awaitCheckpointAfter(0);
        JsonNode triggered = ckpt("trigger", "halted");
        JsonNode last = ckpt("halt", "halted");
        assertThat(last.path("number").asLong())
                .isGreaterThan(triggered.path("number").asLong());
        assertThat(first.awaitExit()).isZero();
        assertThat(first.events("output"))
                .extracting(event -> event.path("text").asText())
                .as("all ranks ended at the same step")
                .containsOnly("heat: halted at step " + last.path("step").asLong())
                .hasSize(3);
        assertThat(first.events("rank-died")).isEmpty();
        assertThat(first.events("halted")).hasSize(1);
        Job second = run("halted", 0);
        assertThat(second.awaitExit()).isZero();
        assertThat(second.hash()).isEqualTo(undisturbed);
        assertThat(second.events("started"))
                .singleElement()
                .satisfies(start -> assertThat(start.path("checkpoint")).isEqualTo(last.path("number")));
    }

    @Test
    void aJobThatWentBackToAnOlderCheckpointKeepsToItWhenARankDies() throws Exception {
        run("taken-back", 40, "--keep", "50").awaitCheckpointAfter(2);
        long newest = ckpt("halt", "taken-back").path("number").asLong();
        Job second = run("taken-back", Heat.slowUntilKilled(), "--from", "2");
        await().until(() -> !second.events("started").isEmpty());
        assertThat(second.events("started").getFirst().path("checkpoint").asLong())
                .isEqualTo(2);
        kill(second.pids().getFirst());
        assertThat(second.awaitExit()).isZero();
        assertThat(second.events("rollback"))
                .singleElement()
                .satisfies(rollback -> assertThat(rollback.path("checkpoint").asLong())
                        .as("not one of those that were left")
                        .matches(number -> number == 2 || number > newest));
        assertThat(second.hash()).isEqualTo(undisturbed);
    }

    /** What the command said, as JSON. */
    private JsonNode ckpt(String command, String job) throws Exception {
        Albm.Result result = Albm.in(directory)
                .run("ckpt", command, job, "--json", "--zookeeper", cluster.zooKeeper(), "--cluster", NAME);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Json.tree(result.out());
    }

    /** @param pauseMillis between steps, to be alive when the fault comes */
    private Job run(String name, int pauseMillis, String... options) throws IOException {
        return run(name, Heat.command(pauseMillis), options);
    }

    private Job run(String name, List<String> rank, String... options) throws IOException {
        return runCommand(name, 3, rank, options);
    }

    private Job runCommand(String name, int ranks, List<String> rank, String... options) throws IOException {
        Job job = Job.start(directory, cluster.zooKeeper(), NAME, name, ranks, "500ms", rank, options);
        started.add(job.process());
        return job;
    }

    /** SIGKILL. */
    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
