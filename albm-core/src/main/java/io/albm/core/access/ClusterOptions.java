// SPDX-License-Identifier: Apache-2.0
package io.albm.core.access;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.ClusterFile;
import io.albm.core.log.Logging;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command asks: the local one of {@code albm up}, unless told otherwise. A picocli mixin. */
public final class ClusterOptions {
    private static final String DEFAULT_ZOOKEEPER = "127.0.0.1:2181";

    @Mixin
    private LocalClusterOptions local = new LocalClusterOptions();

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            defaultValue = "${env:ALBM_ZOOKEEPER:-}",
            description = {
                "ZooKeeper servers of the cluster.",
                "  default: those of the local cluster; without one, " + DEFAULT_ZOOKEEPER
            })
    private String zooKeeper = "";

    /**
     * Connects in the background; the caller closes.
     *
     * @throws CliException if the servers or the name make no sense
     */
    public ClusterConnection connect() {
        Logging.quiet();
        try {
            return new ClusterConnection(ZooKeeperCluster.connect(zooKeeper(), local.name()), zooKeeper());
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** What was started on this machine; nothing if another cluster was asked for. */
    public Optional<ClusterFile> record() {
        return zooKeeper.isBlank() ? local.record() : Optional.empty();
    }

    /** The directory in which this machine keeps what belongs to the cluster, absolute. */
    public Path directory() {
        return local.directory();
    }

    private String zooKeeper() {
        return Optional.of(zooKeeper)
                .filter(given -> !given.isBlank())
                .or(() -> record().map(ClusterFile::zookeeper).filter(recorded -> !recorded.isEmpty()))
                .orElse(DEFAULT_ZOOKEEPER);
    }
}
