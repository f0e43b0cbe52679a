// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Against a real server whose capacity is known, with a real ZooKeeper. */
final class CalibrateCommandTest {
    private static final int WORKERS = 4;
    private static final Duration SERVICE_TIME = Duration.ofMillis(25);
    private static final Duration STEP = Duration.ofMillis(600);
    private static final NodeId HOST = new NodeId("host-1");

    @TempDir
    Path directory;

    private final Semaphore workers = new Semaphore(WORKERS);
    private final AtomicInteger waiting = new AtomicInteger();
    private final StringWriter errors = new StringWriter();

    @SuppressWarnings("NullAway.Init") // made before each test
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", exchange -> {
            waiting.incrementAndGet();
            workers.acquireUninterruptibly();
            waiting.decrementAndGet();
            try {
                Thread.sleep(SERVICE_TIME);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                workers.release();
            }
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('x');
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void findsWhereAServerOfKnownCapacityTurnsAndTheCounterThatTells() throws InterruptedException {
        try (Load load = new Load()) {
            StressRun stress = new StressRun(load, this::felt, _ -> {});
            Curve curve = stress.run(new Plan(Experiment.FINE_GRAIN, backend() + "/", List.of(1, 4, 16, 64), 0, STEP));

            assertThat(curve.knee()).hasValue(1);
            assertThat(curve.steps()).hasSize(4).allMatch(step -> step.failedShare() == 0);
            assertThat(Calibration.thresholds(List.of(curve)).levels())
                    .singleElement()
                    .satisfies(threshold -> {
                        assertThat(threshold.counter().label()).isEqualTo("run-queue-length");
                        assertThat(threshold.relieve()).isBetween(1.0, 12.0);
                    });
        }
    }

    @Test
    void aServerThatIsNotThereFailsEveryRequest() {
        try (Load load = new Load()) {
            assertThat(load.run(URI.create("http://127.0.0.1:1/"), 1, STEP)).isEqualTo(new Load.Result(0, 0, 1, 1));
        }
    }

    @Test
    void refusesToBeginWhereNobodyCanSayYesOrNoAgentReports() throws Exception {
        try (EmbeddedZooKeeper zooKeeper =
                        EmbeddedZooKeeper.start(directory.resolve("zookeeper"), new NodeAddress("127.0.0.1", 0));
                Cluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "test")) {
            String[] options = {
                "--backend",
                backend(),
                "--cluster",
                "test",
                "--zookeeper",
                zooKeeper.address().toString()
            };
            assertThat(run(options)).isEqualTo(ExitCode.REFUSED);
            assertThat(run(and(options, "--yes"))).isEqualTo(ExitCode.USAGE);
            assertThat(run(and(options, "--yes", "--host", "host-2"))).isEqualTo(ExitCode.REFUSED);

            cluster.publish(new CounterReport(HOST, felt(), new HostHealth.Serving(), 0, Instant.EPOCH));
            Awaitility.await().until(() -> cluster.counters().get().containsKey(HOST));
            assertThat(run(and(options, "--yes", "--host", "host-2"))).isEqualTo(ExitCode.REFUSED);
            assertThat(run(and(options, "--yes", "--host", "host-1", "--memory", "/x")))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(errors.toString())
                    .contains("add --yes", "is no member of the cluster", "did you mean 'host-1'?", "{mb}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://my_server:8101, --max-clients, 8, expected http://HOST:PORT",
        "ftp://server/, --max-clients, 8, expected http://HOST:PORT",
        "http://server:8101, --max-clients, 1, --max-clients 1: expected 2 or more",
        "http://server:8101, --max-mb, -1, --max-mb -1: expected 2 or more",
    })
    void refusesWhatNoLoadCanBeMadeOf(String backend, String option, String value, String told) {
        assertThat(run("--backend", backend, option, value, "--memory", "/?{mb}", "--yes"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(errors.toString()).contains(told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://10.0.0.1:10000", "http://size:80"})
    void theMegabytesGoOnlyWhereTheyAreWanted(String backend) {
        assertThat(CalibrateCommand.sized(URI.create(backend), "/size0000?mb={mb}"))
                .isEqualTo(backend + "/size0000?mb={mb}");
    }

    private CounterSample felt() {
        return new CounterSample(1 << 30, 0, waiting.get(), 0.5, 0, 0);
    }

    private String backend() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static String[] and(String[] options, String... more) {
        return Stream.concat(Arrays.stream(options), Arrays.stream(more)).toArray(String[]::new);
    }

    private int run(String... options) {
        CommandLine line = Commands.commandLine(new CalibrateCommand());
        line.setErr(new PrintWriter(errors, true));
        return line.execute(options);
    }
}
