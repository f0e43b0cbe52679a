// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command against a real ZooKeeper; for each distributor stands an admin port that says what a real one would. */
class StatsCommandTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final String CSV = "# pxname,svname,status,\nweb,FRONTEND,OPEN,\n";

    @TempDir
    private Path dir;

    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();
    private EmbeddedZooKeeper zooKeeper;
    private Transport transport;
    private ZooKeeperCluster cluster;
    private WebServer admin;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(dir, ANY_PORT);
        cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "rack");
        transport = Transport.open(1);
        admin = new WebServer(transport, ANY_PORT, Map.of());
        admin.route("/stats;csv", _ -> WebResponse.text(200, CSV));
        admin.route(
                "/stats;json",
                _ -> WebResponse.json(200, List.of(Map.of("pxname", "web", "svname", "FRONTEND", "status", "OPEN"))));
        System.setOut(new PrintStream(output, true, UTF_8));
    }

    @AfterEach
    void stop() throws Exception {
        System.setOut(stdout);
        admin.close();
        cluster.close();
        transport.close();
        zooKeeper.close();
    }

    private void join(String id) {
        var member = new Member(
                new NodeId(id),
                Role.DISTRIBUTOR,
                Map.of(Member.ADMIN, admin.address()),
                Map.of(),
                "test",
                Instant.EPOCH);
        cluster.join(member).registered().join();
    }

    private int run(String... args) {
        CommandLine line = Commands.commandLine(new StatsCommand());
        line.setErr(new PrintWriter(errors, true));
        return line.execute(Stream.concat(
                        Stream.of(
                                "--cluster",
                                "rack",
                                "--zookeeper",
                                zooKeeper.address().toString()),
                        Stream.of(args))
                .toArray(String[]::new));
    }

    @Test
    void showsPeopleATableAndProgramsJsonOrCsv() {
        join("lb-1");
        assertThat(run()).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8)).contains("PROXY  SERVER    STATUS", "web    FRONTEND  OPEN");
        output.reset();
        assertThat(run("--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(output.toString(UTF_8)).at("/lb-1/0/svname").asText())
                .isEqualTo("FRONTEND");
        output.reset();
        assertThat(run("--csv")).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8)).isEqualTo(CSV);
    }

    @Test
    void wantsToKnowWhichDistributorIfTheFormHasNoPlaceForSeveral() {
        assertThat(run()).isEqualTo(ExitCode.DEGRADED);
        join("lb-1");
        join("lb-2");
        assertThat(run("--csv")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--csv", "--distributor", "lb-3")).isEqualTo(ExitCode.USAGE);
        assertThat(errors.toString())
                .contains(
                        "no distributor runs",
                        "expected --distributor with one of lb-1, lb-2",
                        "no distributor 'lb-3'");
        assertThat(run("--csv", "--distributor", "lb-2")).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8)).isEqualTo(CSV);
    }
}
