// SPDX-License-Identifier: Apache-2.0
package io.albm.core.access;

import io.albm.core.local.ClusterFile;
import io.albm.core.local.ClusterSpec;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which local cluster a command means. A picocli mixin. */
public final class LocalClusterOptions {
    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            defaultValue = "${env:ALBM_CLUSTER:-albm}",
            description = "Name of the cluster; default ${DEFAULT-VALUE}.")
    private String name = ClusterSpec.USUAL_NAME;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterSpec.USUAL_BASE,
            description = "Where local clusters, and jobs on this node, keep their files; default ${DEFAULT-VALUE}.")
    private Path data = Path.of(ClusterSpec.USUAL_BASE);

    /** The cluster's name. */
    public String name() {
        return name;
    }

    /** Where the directories of local clusters are, as given. */
    public Path data() {
        return data;
    }

    /** The directory of this cluster, absolute. */
    public Path directory() {
        return data.resolve(name).toAbsolutePath().normalize();
    }

    /** What another command is to be given to mean this cluster, each option behind a space; empty for the usual one. */
    public String arguments() {
        return ClusterSpec.arguments(name, data);
    }

    /** What was started on this machine, if anything. */
    public Optional<ClusterFile> record() {
        return ClusterFile.read(directory());
    }
}
