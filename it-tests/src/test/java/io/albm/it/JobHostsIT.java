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

/** The heat example on several hosts, each a real job-host, of which one is lost. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobHostsIT {
    private static final String NAME = "job-hosts-it";
    private static final int STEPS = 500;

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
        undisturbed = standalone();
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
        Job job = run("host-killed", 8, "--hosts", "a,b,c", "--spares", "e", "--no-spread")
                .awaitCheckpointAfter(0);
        assertThat(hostsOf(job)).containsExactly("a", "b", "c");
        long rank = job.pids().get(1);
        host("b").kill();
        Signal.KILL.to(rank);
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
        Job job = run("host-stopped", 12, "--hosts", "c,d", "--spares", "a", "--host-lease", "2s")
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

    private Job run(String name, int pauseMillis, String... options) throws IOException {
        Path out = Files.createTempFile(directory, name, ".out");
        Path err = Files.createTempFile(directory, name, ".err");
        List<String> command = new ArrayList<>(List.of("job", "run", "--json", "--name", name, "--ranks", "3"));
        command.addAll(List.of("--interval", "500ms", "--zookeeper", cluster.zooKeeper(), "--cluster", NAME));
        command.addAll(List.of(options));
        command.add("--");
        command.addAll(heat(pauseMillis));
        Process process = Albm.in(directory).start(out, err, command.toArray(String[]::new));
        started.add(process);
        return new Job(process, out, err);
    }

    private static List<String> heat(int pauseMillis) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Albm.home().resolve("examples/heat/target/heat-all.jar").toString(),
                "--size",
                "96",
                "--steps",
                Integer.toString(STEPS),
                "--pause",
                Integer.toString(pauseMillis));
    }

    private static String standalone() throws IOException {
        try (var out = new ProcessBuilder(heat(0)).start().inputReader()) {
            return Job.hash(out.lines());
        }
    }
}
