// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Ports;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rival in several forms, one process: round robin, least connections, and least connections with as many connections
 * to a server, for each kind of request, as its memory might hold. The last is what somebody builds who knows the kinds,
 * their costs and the servers' memory, and writes all that down by hand; several values of it take part, because only the
 * run can tell which is best.
 */
final class Haproxy {
    /**
     * Connections to one server.
     *
     * @param five of requests that hold 5 MB
     * @param fifteen of requests that hold 15 MB
     */
    record MaxConn(int five, int fifteen) {
        @Override
        public String toString() {
            return five + "/" + fifteen;
        }
    }

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

    private final List<NodeAddress> servers;
    private final StringBuilder text = new StringBuilder(head());
    private final List<Variant> forms = new ArrayList<>();

    private Haproxy(List<NodeAddress> servers) {
        this.servers = servers;
    }

    /** Starts it; the forms differ by their ports. */
    static List<Variant> start(ProcessGroup processes, List<NodeAddress> servers, List<MaxConn> limits)
            throws IOException {
        Haproxy haproxy = of(servers, limits);
        Path file = processes.directory().resolve("haproxy.cfg");
        Files.writeString(file, haproxy.text);
        ChildProcess process = processes.start("haproxy", List.of("haproxy", "-db", "-f", file.toString()));
        for (Variant form : haproxy.forms) {
            process.awaitListening(((Form) form).address.port());
        }
        return haproxy.forms;
    }

    private static Haproxy of(List<NodeAddress> servers, List<MaxConn> limits) throws IOException {
        Haproxy haproxy = new Haproxy(servers);
        haproxy.plain("roundrobin");
        haproxy.plain("leastconn");
        for (MaxConn limit : limits) {
            haproxy.limited(limit);
        }
        return haproxy;
    }

    static String configuration(List<NodeAddress> servers, List<MaxConn> limits) throws IOException {
        return of(servers, limits).text.toString();
    }

    private void plain(String balance) throws IOException {
        frontend("haproxy " + balance, balance, "");
        backend(balance, balance, 0);
    }

    private void limited(MaxConn limit) throws IOException {
        String suffix = "_" + limit.five + "_" + limit.fifteen;
        String classes = """
                  use_backend fifteen%1$s if { path %2$s }
                  use_backend five%1$s if { path %3$s }
                """.formatted(suffix, RequestKind.FIFTEEN_MEGABYTES.path(), RequestKind.FIVE_MEGABYTES.path());
        frontend("haproxy leastconn + maxconn " + limit, "cheap" + suffix, classes);
        backend("cheap" + suffix, "leastconn", 0);
        backend("five" + suffix, "leastconn", limit.five);
        backend("fifteen" + suffix, "leastconn", limit.fifteen);
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

    private void frontend(String form, String backend, String rules) throws IOException {
        int port = Ports.free();
        forms.add(new Form(form, new NodeAddress("127.0.0.1", port)));
        text.append("frontend in_%1$s\n  bind 127.0.0.1:%2$d\n%3$s  default_backend %1$s\n"
                .formatted(backend, port, rules));
    }

    private void backend(String name, String balance, int maxconn) {
        text.append("backend ")
                .append(name)
                .append("\n  balance ")
                .append(balance)
                .append('\n');
        for (int i = 0; i < servers.size(); i++) {
            text.append(
                    "  server s%d %s%s%n".formatted(i + 1, servers.get(i), maxconn == 0 ? "" : " maxconn " + maxconn));
        }
    }
}
