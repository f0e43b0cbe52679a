// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.local.Installation;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Starts distributors as {@code albm run distributor} does, with everything as shipped: only the servers behind it and
 * its ports are told. They share a ZooKeeper, since a distributor is ready when it has joined its cluster.
 */
final class Distributors {
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private final ProcessGroup processes;
    private final Path launcher;
    private final Backends backends;
    private final String zooKeeper;

    private Distributors(ProcessGroup processes, Path launcher, Backends backends) throws IOException {
        this.processes = processes;
        this.launcher = launcher;
        this.backends = backends;
        this.zooKeeper = endpoint(role("zookeeper", "zookeeper", List.of())).toString();
    }

    /** Starts what distributors need. */
    static Distributors prepare(ProcessGroup processes, Installation installation, Backends backends)
            throws IOException {
        return new Distributors(processes, installation.home().resolve("albm"), backends);
    }

    /**
     * Starts a distributor.
     *
     * @throws NotSupportedException if it does not know that mode
     */
    Contender start(Mode mode) throws IOException, NotSupportedException {
        List<String> options = new ArrayList<>(mode.options());
        options.addAll(List.of("--zookeeper", zooKeeper));
        options.addAll(List.of("--backends", backends.first() + "," + backends.second()));
        ChildProcess process = role("distributor", "distributor-" + mode.name().toLowerCase(Locale.ROOT), options);
        try {
            return new Contender("albm", process, endpoint(process));
        } catch (CliException e) {
            if (!mode.options().isEmpty() && refusedItsOptions(process)) {
                throw new NotSupportedException("not supported yet: " + process.lastWords());
            }
            throw e;
        }
    }

    private static boolean refusedItsOptions(ChildProcess process) {
        int code = process.exitCode().orElse(ExitCode.DONE);
        return code == ExitCode.USAGE || code == ExitCode.CONFIG;
    }

    private ChildProcess role(String role, String id, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString(), "run", role, "--id", id));
        command.addAll(List.of("--port", "0", "--admin-port", "0"));
        command.addAll(List.of("--data", processes.directory().resolve(id).toString()));
        command.addAll(options);
        return processes.start(id, command);
    }

    /** Where it serves, of its READY line. */
    private static NodeAddress endpoint(ChildProcess process) {
        return Json.tree(process.awaitReady(START_BOUND)).path("endpoints").properties().stream()
                .filter(endpoint -> !endpoint.getKey().equals("admin"))
                .map(endpoint -> NodeAddress.parse(endpoint.getValue().asText()))
                .findFirst()
                .orElseThrow();
    }

    /** The distributor lacks what a scenario needs. */
    static final class NotSupportedException extends Exception {
        NotSupportedException(String message) {
            super(message);
        }
    }
}
