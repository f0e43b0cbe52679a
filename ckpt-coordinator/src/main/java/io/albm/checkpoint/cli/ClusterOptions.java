// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.ClusterFile;
import io.albm.core.log.Logging;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command asks: the local one of {@code albm up}, unless told otherwise. */
final class ClusterOptions {
    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            defaultValue = "${env:ALBM_CLUSTER:-albm}",
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "albm";

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            defaultValue = "${env:ALBM_ZOOKEEPER}",
            description = "ZooKeeper servers of the cluster. Default: those of the local cluster.")
    private @Nullable String zooKeeper;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ".albm",
            description = "Where local clusters, and jobs on this node, keep their files. Default: ${DEFAULT-VALUE}")
    private Path data = Path.of(".albm");

    /** Connects; the caller closes. */
    ClusterAccess open() {
        Logging.quiet();
        return ClusterAccess.open(servers(), name);
    }

    /** Where a job keeps its files on this node. */
    Path jobDirectory(String job) {
        return data.resolve(name).resolve("jobs").resolve(job).toAbsolutePath().normalize();
    }

    private String servers() {
        return Optional.ofNullable(zooKeeper)
                .filter(given -> !given.isBlank())
                .or(() -> ClusterFile.read(data.resolve(name))
                        .map(ClusterFile::zookeeper)
                        .filter(recorded -> !recorded.isEmpty()))
                .orElseThrow(() -> new CliException(
                        ExitCode.ZOOKEEPER_UNREACHABLE,
                        "no local cluster '" + name + "' in " + data
                                + ": start one with 'albm up', or name ZooKeeper with --zookeeper HOST:PORT"));
    }
}
