// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Ports;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The rival in three forms, one process: round robin, least connections, and least connections with as many connections
 * to a server, for each kind of request, as its memory can hold. The last is what somebody builds who knows the kinds, their
 * costs and the servers' memory, and writes all that down by hand.
 */
final class Haproxy {
    private static final Duration START_BOUND = Duration.ofSeconds(10);

    /** 36 x 5 MB + 9 x 15 MB = 315 MB: what a server of 512 MB has besides itself and its documents. */
    private static final int MOST_OF_FIVE = 36;

    private static final int MOST_OF_FIFTEEN = 9;

    private record Form(String name, NodeAddress address) implements Variant {
        @Override
        public boolean rival() {
            return true;
        }

        @Override
        public NodeAddress select() {
            return address;
        }
    }

    private Haproxy() {}

    /** Starts it; the three forms differ by their ports. */
    static List<Variant> start(ProcessGroup processes, List<NodeAddress> servers) throws IOException {
        int[] ports = {Ports.free(), Ports.free(), Ports.free()};
        Path file = processes.directory().resolve("haproxy.cfg");
        Files.writeString(file, configuration(ports, servers));
        ChildProcess process = processes.start("haproxy", List.of("haproxy", "-db", "-f", file.toString()));
        List<Variant> forms = new ArrayList<>();
        List<String> names = List.of("haproxy roundrobin", "haproxy leastconn", "haproxy leastconn + maxconn");
        for (int i = 0; i < ports.length; i++) {
            int port = ports[i];
            process.await("listening on " + port, START_BOUND, () -> Ports.listens(port));
            forms.add(new Form(names.get(i), new NodeAddress("127.0.0.1", port)));
        }
        return forms;
    }

    static String configuration(int[] ports, List<NodeAddress> servers) {
        StringBuilder text = new StringBuilder(head());
        text.append(frontend("roundrobin", ports[0], ""));
        text.append(backend("roundrobin", "roundrobin", servers, 0));
        text.append(frontend("leastconn", ports[1], ""));
        text.append(backend("leastconn", "leastconn", servers, 0));
        String classes = """
                  use_backend fifteen if { path %s }
                  use_backend five if { path %s }
                """.formatted(RequestKind.FIFTEEN_MEGABYTES.path(), RequestKind.FIVE_MEGABYTES.path());
        text.append(frontend("cheap", ports[2], classes));
        text.append(backend("cheap", "leastconn", servers, 0));
        text.append(backend("five", "leastconn", servers, MOST_OF_FIVE));
        text.append(backend("fifteen", "leastconn", servers, MOST_OF_FIFTEEN));
        return text.toString();
    }

    private static String head() {
        return """
                global
                  nbthread %d
                  maxconn 4000
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 60s
                  timeout server 60s
                  timeout queue 10s
                  http-reuse always
                  option redispatch
                  option httpchk GET /
                  default-server check inter 1s fall 3 rise 2
                """.formatted(Runtime.getRuntime().availableProcessors());
    }

    private static String frontend(String backend, int port, String rules) {
        return "frontend in_%1$s\n  bind 127.0.0.1:%2$d\n%3$s  default_backend %1$s\n".formatted(backend, port, rules);
    }

    private static String backend(String name, String balance, List<NodeAddress> servers, int maxconn) {
        StringBuilder text = new StringBuilder("backend " + name + "\n  balance " + balance + "\n");
        for (int i = 0; i < servers.size(); i++) {
            text.append(
                    "  server s%d %s%s%n".formatted(i + 1, servers.get(i), maxconn == 0 ? "" : " maxconn " + maxconn));
        }
        return text.toString();
    }
}
