// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.json.Json;
import io.albm.core.local.Installation;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts roles exactly as {@code albm run ROLE} does, with everything as shipped but what is told: a ZooKeeper first,
 * which all others of the run join.
 */
public final class Roles {
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private final ProcessGroup processes;
    private final Path launcher;
    private final NodeAddress zooKeeper;

    private Roles(ProcessGroup processes, Path launcher, List<String> options) throws IOException {
        this.processes = processes;
        this.launcher = launcher;
        List<String> all = new ArrayList<>(List.of("--port", "0"));
        all.addAll(options);
        this.zooKeeper = endpoint(launch(List.of(), "zookeeper", "zookeeper", all), "zookeeper");
    }

    /** Starts the ZooKeeper, and waits for it. */
    public static Roles start(ProcessGroup processes, Installation installation) throws IOException {
        return start(processes, installation, List.of());
    }

    /** As above, with options for it. */
    public static Roles start(ProcessGroup processes, Installation installation, List<String> options)
            throws IOException {
        return new Roles(processes, installation.home().resolve("albm"), options);
    }

    /** Where it listens. */
    public NodeAddress zooKeeper() {
        return zooKeeper;
    }

    /**
     * Starts a role; {@link #endpoint} waits for it.
     *
     * @param id unique in the run
     * @param options of {@code albm run}, beyond id, data, admin port and ZooKeeper
     */
    public ChildProcess start(String role, String id, List<String> options) throws IOException {
        return start(List.of(), role, id, options);
    }

    /**
     * As above.
     *
     * @param before a command that becomes the one behind it
     */
    public ChildProcess start(List<String> before, String role, String id, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--zookeeper", zooKeeper.toString()));
        all.addAll(options);
        return launch(before, role, id, all);
    }

    private ChildProcess launch(List<String> before, String role, String id, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(launcher.toString(), "run", role, "--id", id));
        command.addAll(List.of("--admin-port", "0"));
        command.addAll(List.of("--data", processes.directory().resolve(id).toString()));
        command.addAll(options);
        return processes.start(id, command);
    }

    /**
     * Waits until a role is ready, and tells where it listens.
     *
     * @param use as in its READY line: {@code http}, {@code admin}
     */
    public static NodeAddress endpoint(ChildProcess process, String use) {
        return NodeAddress.parse(Json.tree(process.awaitReady(START_BOUND))
                .path("endpoints")
                .path(use)
                .asText());
    }
}
