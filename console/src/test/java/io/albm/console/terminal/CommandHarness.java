// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.core.cli.Commands;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands against a real ZooKeeper, each test in a cluster of its own; what they say is kept. */
abstract class CommandHarness {
    static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    private static EmbeddedZooKeeper zooKeeper;

    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();
    private String name;
    ZooKeeperCluster cluster;

    @BeforeAll
    static void startZooKeeper(@TempDir Path data) throws IOException {
        zooKeeper = EmbeddedZooKeeper.start(data, ANY_PORT);
    }

    @AfterAll
    static void stopZooKeeper() {
        zooKeeper.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        cluster = connect();
        System.setOut(new PrintStream(output, true, UTF_8));
    }

    @AfterEach
    void disconnect() {
        System.setOut(stdout);
        cluster.close();
    }

    /** One more connection to the cluster, whose caches know nothing yet. */
    final ZooKeeperCluster connect() {
        return ZooKeeperCluster.connect(zooKeeper.address().toString(), name);
    }

    /** Makes somebody a member, and waits until all can know. */
    final void join(Role role, String id, Map<String, NodeAddress> endpoints, Map<String, String> attributes) {
        cluster.join(new Member(new NodeId(id), role, endpoints, attributes, "test", Instant.EPOCH))
                .registered()
                .join();
    }

    /** Runs a command on the cluster; its exit code. */
    final int run(Object command, String... args) {
        return runAlone(
                command,
                Stream.concat(
                                Stream.of(args),
                                Stream.of(
                                        "--cluster",
                                        name,
                                        "--zookeeper",
                                        zooKeeper.address().toString()))
                        .toArray(String[]::new));
    }

    /** Runs a command that is told of no cluster; its exit code. */
    final int runAlone(Object command, String... args) {
        CommandLine line = Commands.commandLine(command);
        line.setErr(new PrintWriter(errors, true));
        return line.execute(args);
    }

    /** What commands have printed since this was asked last. */
    final String takeOutput() {
        String taken = output();
        forgetOutput();
        return taken;
    }

    final void forgetOutput() {
        output.reset();
    }

    /** What commands have printed. */
    final String output() {
        return output.toString(UTF_8);
    }

    /** What commands have complained about. */
    final String errors() {
        return errors.toString();
    }
}
