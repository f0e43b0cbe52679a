// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.local.ClusterFile;
import io.albm.core.log.Logging;
import io.albm.core.net.Transport;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/** Which cluster a storage command means, and the way to it. */
final class Connection {
    private static final String DEFAULT_ZOOKEEPER = "127.0.0.1:2181";
    private static final int CONNECT_SECONDS = 10;

    @Option(
            names = {"--name", "--cluster"},
            paramLabel = "NAME",
            description = "Name of the cluster; default ${DEFAULT-VALUE}.")
    private String name = "albm";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where a local cluster's directory is; default ${DEFAULT-VALUE}.")
    private Path data = Path.of(".albm");

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            description = {
                "ZooKeeper servers of the cluster.",
                "  default: those of the local cluster; without one, " + DEFAULT_ZOOKEEPER
            })
    private String zooKeeper = "";

    /** What a command does with the store. */
    @FunctionalInterface
    interface Work {
        int run(StripedStore store) throws IOException;
    }

    /** Connects, works, and disconnects. */
    int with(StripeSettings settings, Work work) throws IOException {
        Logging.quiet();
        try (Transport transport = Transport.open();
                FrameClient client = new FrameClient(transport);
                Cluster cluster = connect()) {
            StripedStore store = StripedStore.open(cluster, client, settings);
            awaitMembers(cluster);
            return work.run(store);
        } catch (StorageException failure) {
            throw new CliException(exitCode(failure), String.valueOf(failure.getMessage()), failure);
        } catch (IllegalArgumentException wrong) {
            throw new CliException(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private Cluster connect() {
        return ZooKeeperCluster.connect(zooKeeper(), name);
    }

    private void awaitMembers(Cluster cluster) {
        try {
            cluster.members(Role.STORAGE_NODE).loaded().get(CONNECT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new CliException(
                    ExitCode.ZOOKEEPER_UNREACHABLE,
                    "ZooKeeper at " + zooKeeper() + " does not answer; is the cluster up? ('albm up' starts one here,"
                            + " --zookeeper names another)",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }

    private String zooKeeper() {
        if (!zooKeeper.isEmpty()) {
            return zooKeeper;
        }
        return ClusterFile.read(data.resolve(name).toAbsolutePath().normalize())
                .map(ClusterFile::zookeeper)
                .filter(address -> !address.isEmpty())
                .orElse(DEFAULT_ZOOKEEPER);
    }

    private static int exitCode(StorageException failure) {
        return switch (failure) {
            case StorageException.TableUnavailable away -> ExitCode.ZOOKEEPER_UNREACHABLE;
            case StorageException.FileExists exists -> ExitCode.REFUSED;
            case StorageException.Fenced fenced -> ExitCode.REFUSED;
            case StorageException.TooFewNodes few -> ExitCode.DEGRADED;
            case StorageException.NodeUnreachable away -> ExitCode.DEGRADED;
            default -> ExitCode.FAILED;
        };
    }
}
