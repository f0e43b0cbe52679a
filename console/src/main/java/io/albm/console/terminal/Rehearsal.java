// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.Commands;
import io.albm.core.cluster.Cluster;
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
 * {@code -XX:AOTCacheOutput} records what the command needs. The launcher calls it after a build; nobody else has to.
 */
@Command(name = Rehearsal.NAME, hidden = true, description = "Record what 'albm status' needs, for a faster start.")
final class Rehearsal implements Callable<Integer> {
    static final String NAME = "rehearse";

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final NodeAddress NOBODY = new NodeAddress("127.0.0.1", 1);
    private static final NodeId SELF = new NodeId("rehearsal");
    private static final long BOUND_SECONDS = 20;

    @Parameters(paramLabel = "DIR", description = "For ZooKeeper's data.")
    private Path directory = Path.of(".albm", "cache", NAME);

    @Override
    public Integer call() throws Exception {
        Logging.quiet();
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, ANY_PORT);
                Cluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), NAME)) {
            join(cluster);
            int text = status(zooKeeper);
            int json = status(zooKeeper, "--json");
            return text == json ? 0 : 1;
        }
    }

    private static void join(Cluster cluster) throws Exception {
        Map<String, NodeAddress> endpoints = Map.of(Member.ADMIN, NOBODY);
        cluster.join(new Member(SELF, Role.AGENT, endpoints, Map.of(), "", Instant.now()))
                .registered()
                .get(BOUND_SECONDS, TimeUnit.SECONDS);
        CounterSample sample = new CounterSample(0, 0, 0, 0, 0, 0);
        cluster.publish(new CounterReport(SELF, sample, new HostHealth.Serving(), 1, Instant.now()));
    }

    private static int status(EmbeddedZooKeeper zooKeeper, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "status", "--name", NAME, "--zookeeper", zooKeeper.address().toString()));
        args.addAll(List.of(more));
        String[] line = args.toArray(String[]::new);
        return Commands.run(Terminal.root(line), line);
    }
}
