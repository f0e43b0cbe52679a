// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Contender;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Ports;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A proxy to be compared with: one process for all modes, tuned as its manual advises. */
final class Peer {
    /** What a peer is told. */
    interface Configuration {
        /** The text of its configuration file; a mode without a port is left out. */
        String text(Map<Mode, Integer> ports, Backends backends);

        /** Its command line. */
        List<String> command(Path file, Path directory);

        /** The modes that it can do. */
        List<Mode> modes();
    }

    private final String name;
    private final ChildProcess process;
    private final Map<Mode, Integer> ports;

    private Peer(String name, ChildProcess process, Map<Mode, Integer> ports) {
        this.name = name;
        this.process = process;
        this.ports = ports;
    }

    /** Starts one and waits until it listens. */
    static Peer start(String name, Configuration configuration, ProcessGroup processes, Backends backends)
            throws IOException {
        Map<Mode, Integer> ports = new EnumMap<>(Mode.class);
        for (Mode mode : configuration.modes()) {
            ports.put(mode, Ports.free());
        }
        Path file = processes.directory().resolve(name + ".conf");
        Files.writeString(file, configuration.text(ports, backends));
        ChildProcess process = processes.start(name, configuration.command(file, processes.directory()));
        for (int port : ports.values()) {
            process.awaitListening(port);
        }
        return new Peer(name, process, ports);
    }

    /** For the scenarios of that mode, if it can do it. */
    Optional<Contender> in(Mode mode) {
        return Optional.ofNullable(ports.get(mode))
                .map(port -> new Contender(name, process, new NodeAddress("127.0.0.1", port)));
    }
}
