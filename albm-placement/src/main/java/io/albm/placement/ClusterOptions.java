// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.log.Logging;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.placement.policy.NodeLoad;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/** Which cluster a command asks. */
final class ClusterOptions {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            defaultValue = "${env:ALBM_ZOOKEEPER:-127.0.0.1:2181}",
            description = "ZooKeeper servers of the cluster. Default: ${DEFAULT-VALUE}")
    private String zooKeeper = "";

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            defaultValue = "${env:ALBM_CLUSTER:-albm}",
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "";

    /** The nodes whose agents report, as a policy sees them. */
    List<NodeLoad> nodes() {
        Logging.quiet();
        try (Cluster cluster = connect()) {
            await(CompletableFuture.allOf(
                    cluster.members(Role.AGENT).loaded(), cluster.counters().loaded()));
            return ClusterNodes.of(
                    cluster.members(Role.AGENT).get().values(),
                    cluster.counters().get());
        }
    }

    private Cluster connect() {
        try {
            return ZooKeeperCluster.connect(zooKeeper, name);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private void await(CompletableFuture<Void> loaded) {
        try {
            loaded.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new CliException(
                    ExitCode.ZOOKEEPER_UNREACHABLE,
                    "ZooKeeper " + zooKeeper + " does not answer: 'albm up' starts a local cluster, --zookeeper names"
                            + " another",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }
}
