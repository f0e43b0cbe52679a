// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.json.Json;
import io.albm.it.Albm.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code albm up} and {@code albm down}, as a user types them. Others would leave things where this looks for some. */
@Isolated
class UpDownIT {
    private static final int ZOOKEEPER_PORT = 2181;
    private static final Duration BOUND = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private Albm albm = Albm.in(Path.of("."));

    @BeforeEach
    void workInDirectory() {
        albm = Albm.in(directory);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        albm.run("down");
        assertThat(processes()).isEmpty();
    }

    @Test
    void leavesNoProcessAndNoFileOutsideItsDirectory() throws Exception {
        Set<Path> before = temporaryFiles();
        Result up = up();
        assertThat(up.exitCode()).as(up.err()).isZero();
        assertThat(up.out()).contains("zookeeper", "cache-1", "storage-3", "try next", "albm down");
        Result status = albm.run("status", "--json");
        assertThat(status.exitCode()).as(status.out()).isZero();
        assertThat(Json.tree(status.out()).path("healthy").asBoolean()).isTrue();

        Result down = albm.run("down");
        assertThat(down.exitCode()).isZero();
        assertThat(down.out()).startsWith("stopped 9 processes; data kept in");
        assertThat(processes()).isEmpty();
        assertThat(temporaryFiles()).isEqualTo(before);
        try (Stream<Path> entries = Files.list(directory)) {
            assertThat(entries).containsExactly(directory.resolve(".albm"));
        }
    }

    @Test
    void aSecondUpContinuesWithTheKeptData() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "kept");
        assertThat(up().exitCode()).isZero();
        Result put = albm.run("storage", "put", file.toString(), "/kept", "--zookeeper", zooKeeper());
        assertThat(put.exitCode()).as(put.err()).isZero();
        assertThat(albm.run("down").exitCode()).isZero();

        assertThat(up().exitCode()).isZero();
        Path back = directory.resolve("back");
        Result get = albm.run("storage", "get", "/kept", back.toString(), "--zookeeper", zooKeeper());
        assertThat(get.exitCode()).as(get.err()).isZero();
        assertThat(back).hasContent("kept");
    }

    @Test
    void aPortInUseIsNamedWithItsOwner() throws Exception {
        try (ServerSocket taken = take(ZOOKEEPER_PORT)) {
            Result up = albm.run("up", "--detach");
            assertThat(up.exitCode()).isEqualTo(4);
            assertThat(up.err())
                    .startsWith("albm: port " + ZOOKEEPER_PORT + " of zookeeper is in use by pid "
                            + ProcessHandle.current().pid() + " (")
                    .contains("--ports auto")
                    .hasLineCount(1);
            assertThat(taken.isBound()).isTrue();
        }
    }

    @Test
    void sigintStopsAllThatTheForegroundStarted() throws Exception {
        Path out = directory.resolve("up.out");
        Process up = albm.start(
                out,
                directory.resolve("up.err"),
                "up",
                "--ports",
                "auto",
                "--cache-servers",
                "1",
                "--storage-nodes",
                "3");
        await().atMost(BOUND).until(() -> Files.readString(out).contains("Ctrl-C stops it"));
        assertThat(processes()).isNotEmpty();
        new ProcessBuilder("kill", "-INT", Long.toString(up.pid())).start().waitFor();
        assertThat(up.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out)).contains("stopping").doesNotContain("is gone");
        assertThat(processes()).isEmpty();
    }

    @Test
    void sigintWhileItStartsStopsWhatWasStarted() throws Exception {
        Path out = directory.resolve("up.out");
        Path err = directory.resolve("up.err");
        Process up = albm.start(out, err, "up", "--ports", "auto", "--cache-servers", "1", "--storage-nodes", "3");
        await().atMost(BOUND).until(() -> Files.readString(out).contains("zookeeper ready"));
        new ProcessBuilder("kill", "-INT", Long.toString(up.pid())).start().waitFor();
        assertThat(up.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out)).contains("stopping").doesNotContain("Ctrl-C stops it");
        assertThat(Files.readString(err)).doesNotContain("before it was ready");
        assertThat(processes()).isEmpty();
        assertThat(directory.resolve(".albm/albm/cluster.json")).doesNotExist();
    }

    @Test
    void downWhileItStartsStopsAllOfIt() throws Exception {
        Path out = directory.resolve("up.out");
        Path err = directory.resolve("up.err");
        Process up = albm.start(out, err, "up", "--ports", "auto", "--cache-servers", "1", "--storage-nodes", "3");
        await().atMost(BOUND).until(() -> Files.readString(out).contains("zookeeper ready"));
        assertThat(albm.run("down").exitCode()).isZero();
        assertThat(up.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(1);
        assertThat(Files.readString(err)).isEqualTo("albm: cluster 'albm' was stopped\n");
        assertThat(processes()).isEmpty();
        assertThat(directory.resolve(".albm/albm/cluster.json")).doesNotExist();
    }

    @Test
    void downOfNothingIsNoError() throws Exception {
        Result down = albm.run("down");
        assertThat(down.exitCode()).isZero();
        assertThat(down.out()).contains("is not up");
    }

    private Result up() throws Exception {
        return albm.run("up", "--detach", "--ports", "auto", "--cache-servers", "1", "--storage-nodes", "3");
    }

    private String zooKeeper() throws IOException {
        String record = Files.readString(directory.resolve(".albm/albm/cluster.json"));
        return Json.tree(record).path("zookeeper").asText();
    }

    /** Processes that were told a path below the test's directory. */
    private List<Long> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(directory + "/.albm"))
                        .isPresent())
                .map(ProcessHandle::pid)
                .toList();
    }

    /** What native libraries and JVMs like to leave. */
    private static Set<Path> temporaryFiles() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return entries.filter(entry ->
                            entry.getFileName().toString().matches("(libnetty|snappy|albm|hs_err|\\.java_pid).*"))
                    .collect(Collectors.toSet());
        }
    }

    private static ServerSocket take(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
