// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.local.ClusterFile;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ProcessIdentity;
import io.albm.core.log.Logging;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Runs through {@code albm status} against a small cluster inside this process, so that a JVM started with
 * {@code -XX:AOTCacheOutput} records what the command needs: a process that was started here, answers on its admin port
 * and routes requests. The launcher calls it after a build; nobody else has to.
 */
@Command(name = Rehearsal.NAME, hidden = true, description = "Record what 'albm status' needs, for a faster start.")
final class Rehearsal implements Callable<Integer> {
    static final String NAME = "rehearse";

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final NodeId SELF = new NodeId("rehearsal");
    private static final long BOUND_SECONDS = 20;
    private static final String READY = """
            {"ready": true, "reasons": [{"component": "rehearsal", "message": "a warning"}]}""";
    private static final String ROUTING = """
            {"policy": "rehearsed", "thresholds": [{"counter": "available-memory", "relieve": 1, "recover": 2}],
             "backends": [{"id": "a", "address": "b", "health": "up", "inFlight": 0, "reason": null, "relieved": null}]}""";

    @Parameters(paramLabel = "DIR", description = "For ZooKeeper's data and the record.")
    private Path directory = Path.of(".albm", "cache", NAME);

    @Override
    public Integer call() throws Exception {
        Logging.quiet();
        HttpServer admin = admin();
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), ANY_PORT);
                Cluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), NAME)) {
            Map<String, NodeAddress> endpoints =
                    Map.of(Member.ADMIN, ANY_PORT.withPort(admin.getAddress().getPort()));
            join(cluster, endpoints);
            record(zooKeeper, endpoints);
            int text = status();
            int json = status("--json");
            return text == json ? text : ExitCode.FAILED;
        } finally {
            admin.stop(0);
        }
    }

    private static HttpServer admin() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(ANY_PORT.host(), 0), 0);
        answer(server, "/health/ready", READY);
        answer(server, "/routing", ROUTING);
        server.start();
        return server;
    }

    private static void answer(HttpServer server, String path, String body) {
        byte[] content = body.getBytes(UTF_8);
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
            exchange.close();
        });
    }

    private static void join(Cluster cluster, Map<String, NodeAddress> endpoints) throws Exception {
        cluster.join(new Member(SELF, Role.DISTRIBUTOR, endpoints, Map.of(), "", Instant.now()))
                .registered()
                .get(BOUND_SECONDS, TimeUnit.SECONDS);
        CounterSample sample = new CounterSample(0, 0, 0, 0, 0, 0);
        cluster.publish(new CounterReport(SELF, sample, new HostHealth.Serving(), 1, Instant.now()));
    }

    private void record(EmbeddedZooKeeper zooKeeper, Map<String, NodeAddress> endpoints) throws IOException {
        ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
        ClusterProcess started =
                new ClusterProcess(SELF.value(), Role.DISTRIBUTOR, self.pid(), self.startTicks(), endpoints, "");
        Path cluster = Files.createDirectories(directory.resolve(NAME));
        new ClusterFile(NAME, zooKeeper.address().toString(), Instant.now(), List.of(started)).write(cluster);
    }

    private int status(String... more) {
        List<String> args = new ArrayList<>(List.of("status", "--cluster", NAME, "--data", directory.toString()));
        args.addAll(List.of(more));
        String[] line = args.toArray(String[]::new);
        return Commands.run(Terminal.root(line), line);
    }
}
