// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.bench.job.JobRun;
import io.albm.checkpoint.job.JobProgress;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.core.node.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Starts the heat example as a job of a cluster. */
final class HeatJob {
    static final int RANKS = 4;

    private final Installation installation;
    private final LocalCluster cluster;
    private final DemoSettings settings;
    private final Path directory;

    HeatJob(Installation installation, LocalCluster cluster, DemoSettings settings, Path directory) {
        this.installation = installation;
        this.cluster = cluster;
        this.settings = settings;
        this.directory = directory;
    }

    /**
     * Starts a job.
     *
     * @param steps that the plate goes through
     * @param pauseMillis between steps; lengthens the run and changes no result
     */
    JobRun start(String name, int steps, int pauseMillis, Consumer<JobProgress> listener) throws IOException {
        List<String> command = java(installation.jar(Role.COORDINATOR), 96);
        command.addAll(List.of("job", "run", "--json"));
        command.addAll(List.of("--zookeeper", cluster.zooKeeper(), "--cluster", Demo.NAME));
        command.addAll(List.of("--data", directory.toString()));
        command.addAll(List.of("--name", name, "--ranks", Integer.toString(RANKS)));
        command.addAll(List.of("--interval", settings.checkpointInterval().toMillis() + " ms"));
        command.add("--");
        command.addAll(java(installation.home().resolve("examples/heat/target/heat-all.jar"), 48));
        command.addAll(List.of("--size", Integer.toString(settings.heatSize())));
        command.addAll(List.of("--steps", Integer.toString(steps)));
        command.addAll(List.of("--pause", Integer.toString(pauseMillis)));
        Map<String, String> environment = Map.of(LeftBehind.VARIABLE, directory.toString());
        return JobRun.start(command, environment, directory.resolve(name + ".log"), listener);
    }

    /** The first compiler is enough for programs that run for seconds, and leaves the processors to what they are shared with. */
    private List<String> java(Path jar, int heapMebibytes) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMebibytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + directory,
                "-jar",
                jar.toString()));
    }
}
