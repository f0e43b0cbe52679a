// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.local.ClusterFile;
import io.albm.core.log.Logging;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options and connection of the commands that look at a cluster. */
final class ObservedCluster {
    private static final String DEFAULT_ZOOKEEPER = "127.0.0.1:2181";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            description = {
                "ZooKeeper servers of the cluster.",
                "  default: those of the local cluster; without one, " + DEFAULT_ZOOKEEPER
            })
    private String zooKeeper = "";

    Cluster connect() {
        Logging.quiet();
        try {
            return ZooKeeperCluster.connect(zooKeeper(), options.name());
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** The servers to ask. */
    String zooKeeper() {
        if (!zooKeeper.isEmpty()) {
            return zooKeeper;
        }
        return options.record()
                .map(ClusterFile::zookeeper)
                .filter(address -> !address.isEmpty())
                .orElse(DEFAULT_ZOOKEEPER);
    }

    /** What was started on this machine; nothing if another cluster was asked for. */
    Optional<ClusterFile> record() {
        return zooKeeper.isEmpty() ? options.record() : Optional.empty();
    }
}
