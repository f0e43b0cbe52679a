// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.Ports;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's own rival: LVS round robin, a table of the kernel. It takes part where the kernel has it and lets us, and where
 * a first request comes through; otherwise it says why not.
 */
final class Lvs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lvs.class);
    private static final Path TABLE = Path.of("/proc/net/ip_vs");
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final int ANSWER_MILLIS = 2_000;

    private final ProcessGroup processes;
    private final NodeAddress service;
    private boolean works;

    private Lvs(ProcessGroup processes, NodeAddress service) {
        this.processes = processes;
        this.service = service;
    }

    private record RoundRobin(NodeAddress select) implements Variant {
        @Override
        public String name() {
            return "lvs round robin";
        }

        @Override
        public boolean rival() {
            return false;
        }
    }

    /**
     * Makes the service, if it can be made.
     *
     * @param notice told why not
     */
    static Lvs start(ProcessGroup processes, List<NodeAddress> servers, Consumer<String> notice) throws IOException {
        Lvs lvs = new Lvs(processes, new NodeAddress("127.0.0.1", Ports.free()));
        if (!Files.exists(TABLE)) {
            notice.accept("lvs round robin takes no part: this kernel has no IPVS (no " + TABLE + ")");
            return lvs;
        }
        try {
            lvs.make(servers);
            lvs.tryOut();
        } catch (CliException | IOException e) {
            notice.accept("lvs round robin takes no part: " + e.getMessage());
        }
        return lvs;
    }

    private void make(List<NodeAddress> servers) throws IOException {
        tell("add", "-A", "-t", service.toString(), "-s", "rr");
        for (NodeAddress server : servers) {
            tell("server-" + server.port(), "-a", "-t", service.toString(), "-r", server.toString(), "-m");
        }
    }

    private void tell(String name, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(Stream.of("ipvsadm"), Stream.of(arguments)).toList();
        processes.run("ipvsadm-" + name, command, BOUND);
    }

    private void tryOut() throws IOException {
        var connection = URI.create("http://" + service + RequestKind.BYTE.path())
                .toURL()
                .openConnection();
        connection.setConnectTimeout(ANSWER_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.getInputStream().close();
        works = true;
    }

    /** Empty where it cannot take part. */
    Optional<Variant> variant() {
        return works ? Optional.of(new RoundRobin(service)) : Optional.empty();
    }

    /** The kernel would keep the service after all processes of the run have ended. */
    @Override
    public void close() {
        if (Files.exists(TABLE)) {
            try {
                tell("delete", "-D", "-t", service.toString());
            } catch (CliException | IOException e) {
                LOG.debug("the service {} was never made", service, e);
            }
        }
    }
}
