// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.local.ClusterFile;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which local cluster a command means. */
final class ClusterOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "Name of the cluster; default ${DEFAULT-VALUE}.")
    private String name = "albm";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the cluster's directory is; default ${DEFAULT-VALUE}.")
    private Path data = Path.of(".albm");

    String name() {
        return name;
    }

    Path data() {
        return data;
    }

    Path directory() {
        return data.resolve(name).toAbsolutePath().normalize();
    }

    /** What was started on this machine, if anything. */
    Optional<ClusterFile> record() {
        return ClusterFile.read(directory());
    }
}
