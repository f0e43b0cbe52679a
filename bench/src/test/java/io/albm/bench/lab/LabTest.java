// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real lab: it shapes, and nothing of it is left, however it ends. */
class LabTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final LabShape SHAPE = new LabShape(3, 100, 16 * 1024);
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path base;

    @BeforeEach
    void asRoot() throws IOException {
        assumeTrue(Lab.isRoot(), "takes root: the lab makes network namespaces");
        assumeTrue(
                Stream.of("/usr/sbin/tc", "/sbin/tc").map(Path::of).anyMatch(Files::exists),
                "takes tc, of Debian's package iproute2");
    }

    @Test
    void bytesGoThroughTheShapedPortsOfTheSwitch() throws Exception {
        try (ProcessGroup processes = ProcessGroup.in(base);
                Lab lab = Lab.start(processes, HOME, "lab", SHAPE);
                TcpSink sink = TcpSink.open(lab.host(1))) {
            long before = lab.bytesTo(1);
            // Two senders at once are more than the port carries.
            Thread one = lab.host(2).start("sender", () -> send(sink, lab.host(2), BYTES));
            Thread other = lab.host(3).start("sender", () -> send(sink, lab.host(3), BYTES));
            one.join();
            other.join();

            assertThat(lab.bytesTo(1) - before).isBetween(2L * BYTES, 4L * BYTES);
            assertThat(lab.bytesTo(3)).isLessThan(BYTES);
            assertThat(lab.segments().sent()).isGreaterThan(2 * BYTES / 1460);
            JsonNode port = port(lab, "s1");
            assertThat(port.path("kind").asText()).isEqualTo("tbf");
            assertThat(port.path("bytes").asLong()).isGreaterThan(2L * BYTES);
            assertThat(port.path("overlimits").asLong())
                    .describedAs("how often a frame had to wait for the port")
                    .isPositive();
        }
    }

    private static JsonNode port(Lab lab, String device) throws IOException {
        for (JsonNode port : Json.tree(lab.portsAsJson())) {
            if (port.path("dev").asText().equals(device)) {
                return port;
            }
        }
        throw new AssertionError("no port " + device);
    }

    private static void send(TcpSink sink, LabHost from, int bytes) {
        try {
            sink.send(from.address(), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kernel's bound of what a socket has under way on its host would be a few frames. */
    @Test
    void aSenderDoesNotSeeHowMuchWaitsAtThePort() throws Exception {
        LabShape slow = new LabShape(1, 10, 256 * 1024);
        try (ProcessGroup processes = ProcessGroup.in(base);
                Lab lab = Lab.start(processes, HOME, "lab", slow);
                TcpSink sink = TcpSink.open(lab.host(1))) {
            Thread sender = lab.host(0).start("sender", () -> send(sink, lab.host(0), 3 * BYTES));
            Awaitility.await().until(() -> port(lab, "s1").path("backlog").asLong() > 24 * 1024);
            sender.join();
        }
    }

    @Test
    void hostsHaveTheCongestionControlThatIsAskedForWhateverTheMachines() throws Exception {
        try (ProcessGroup processes = ProcessGroup.in(base);
                Lab lab = Lab.start(processes, HOME, "lab", SHAPE);
                TcpSink sink = TcpSink.open(lab.host(1));
                TcpLoad _ = TcpLoad.start(lab, List.of(lab.host(1)), 1)) {
            assertThat(sink).isNotNull();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(lab.host(0).call(() -> output("ss", "-tin")))
                            .contains("10.78.0.1")
                            .contains("cubic"));
        }
    }

    @Test
    void aBystanderHearsItsEchoesThroughALoadedPort() throws Exception {
        try (ProcessGroup processes = ProcessGroup.in(base);
                Lab lab = Lab.start(processes, HOME, "lab", SHAPE)) {
            long before = lab.bytesTo(1);
            Bystander bystander = new Bystander(lab.host(2), lab.host(1));
            try (bystander;
                    UdpLoad _ = UdpLoad.start(lab, List.of(lab.host(1)), LoadPattern.steady(0.5))) {
                Awaitility.await().until(() -> lab.bytesTo(1) - before > BYTES);
            }
            assertThat(bystander.echoes()).isPositive();
            assertThat(bystander.millisAt(50)).isBetween(0.001, 999.0);
        }
    }

    @Test
    void nothingIsLeftOnceItIsClosed() throws Exception {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            Lab lab = Lab.start(processes, HOME, "lab", SHAPE);
            Set<String> networks = networks(lab);
            assertThat(inUse()).containsAll(networks);
            lab.close();
            assertThat(inUse()).doesNotContainAnyElementsOf(networks);
        }
    }

    /** Also after a SIGKILL: the kernel takes everything away, and a new lab with the same addresses starts beside nothing. */
    @Test
    void nothingIsLeftOnceItsFirstProcessIsKilled() throws Exception {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            Lab killed = Lab.start(processes, HOME, "killed", SHAPE);
            Set<String> networks = networks(killed);
            killed.firstProcess().destroyForcibly();
            killed.close();
            Awaitility.await().untilAsserted(() -> assertThat(inUse()).doesNotContainAnyElementsOf(networks));

            try (Lab lab = Lab.start(processes, HOME, "next", SHAPE);
                    TcpSink sink = TcpSink.open(lab.host(1))) {
                lab.host(2).call(() -> {
                    sink.send(lab.host(2).address(), 1);
                    return true;
                });
            }
        }
    }

    /** A later start removes what the kernel cannot: files that a dead process had in memory. */
    @Test
    void nothingIsLeftOfAProcessThatIsKilledAndANewStart() throws Exception {
        Path memory = Files.createDirectory(base.resolve("memory"));
        try (ProcessGroup processes = ProcessGroup.in(base.resolve("test"))) {
            ChildProcess holder = processes.startJava(
                    "holder", List.of("-Xmx64m"), LabHolder.class, HOME.toString(), memory.toString());
            String network = holder.awaitReady(Duration.ofSeconds(30));
            assertThat(inUse()).contains(network);
            assertThat(memory).isNotEmptyDirectory();

            ProcessHandle.of(holder.pid()).orElseThrow().destroyForcibly();
            Awaitility.await().untilAsserted(() -> assertThat(inUse()).doesNotContain(network));
            MemoryDirectory.make(memory).close();
            assertThat(memory).isEmptyDirectory();
        }
    }

    @Test
    void nothingIsLeftOfAProcessThatIsTerminated() throws Exception {
        Path memory = Files.createDirectory(base.resolve("memory"));
        try (ProcessGroup processes = ProcessGroup.in(base.resolve("test"))) {
            ChildProcess holder = processes.startJava(
                    "holder", List.of("-Xmx64m"), LabHolder.class, HOME.toString(), memory.toString());
            String network = holder.awaitReady(Duration.ofSeconds(30));

            ProcessHandle.of(holder.pid()).orElseThrow().destroy();
            Awaitility.await().untilAsserted(() -> {
                assertThat(inUse()).doesNotContain(network);
                assertThat(memory).isEmptyDirectory();
            });
        }
    }

    /** For who runs it by hand. */
    @Test
    void theScriptRunsACommandAndIsGoneOnASigterm() throws Exception {
        String script = HOME.resolve("scripts/lab").toString();
        assertThat(output(script, "--hosts", "1", "ip", "-n", "h1", "-brief", "address"))
                .contains("10.78.0.1/16");

        Process lasting = new ProcessBuilder(script, "--hosts", "1", "sleep", "6008.5").start();
        Awaitility.await().until(() -> runs("sleep 6008.5"));
        lasting.destroy();
        Awaitility.await().until(() -> !runs("sleep 6008.5"));
    }

    private static boolean runs(String command) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").endsWith(command)
                        && !process.info().commandLine().orElse("").contains("lab"));
    }

    @Test
    void aWrongShapeIsAnErrorThatNamesIt() throws IOException {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            assertThatThrownBy(() -> Lab.start(processes, HOME, "lab", new LabShape(251, 100, 16384)))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("--hosts 251");
        }
    }

    /** The network namespaces of a lab's hosts, as the kernel calls them. */
    private static Set<String> networks(Lab lab) {
        Callable<String> own = () ->
                Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")).toString();
        return IntStream.rangeClosed(0, SHAPE.hosts())
                .mapToObj(number -> {
                    try {
                        return lab.host(number).call(own);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .collect(Collectors.toSet());
    }

    /** All network namespaces that a thread of this machine is in. */
    private static Set<String> inUse() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .flatMap(LabTest::threadsNetworks)
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> threadsNetworks(Path process) {
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return threads.toList().stream().flatMap(thread -> {
                try {
                    return Stream.of(
                            Files.readSymbolicLink(thread.resolve("ns/net")).toString());
                } catch (IOException gone) {
                    return Stream.empty();
                }
            });
        } catch (IOException gone) {
            return Stream.empty();
        }
    }

    private static String output(String... command) throws IOException {
        return new String(new ProcessBuilder(command).start().getInputStream().readAllBytes(), UTF_8);
    }
}
