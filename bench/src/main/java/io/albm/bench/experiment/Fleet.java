// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Registration;
import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The four servers of paper P1, each limited to 512 MB of memory, with an agent that watches it, and known to the cluster as
 * any server of ours is.
 */
final class Fleet implements AutoCloseable {
    static final int SERVERS = 4;

    /** As the paper's servers had. */
    static final long SERVER_BYTES = 512L << 20;

    /** What the server itself looks at all the time: its documents. */
    private static final int DOCUMENT_BYTES = 128 << 20;

    /** Most that requests may hold: what is left besides the process itself and a rest for the documents. */
    private static final long MOST_HELD_BYTES = SERVER_BYTES - (96L << 20);

    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final int WARM_TIMEOUT_MILLIS = 60_000;
    private static final Duration REPORT_BOUND = Duration.ofSeconds(15);
    private static final int POLL_MILLIS = 50;

    /** Agents are silent about less than 2 %; the rest is what a server moves by itself. */
    private static final long DEAD_BAND_BYTES = 16L << 20;

    private static final List<String> SMALL_JVM =
            List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Cluster cluster;
    private final List<MemoryLimit> limits = new ArrayList<>();
    private final List<NodeAddress> servers = new ArrayList<>();
    private final List<Registration> registrations = new ArrayList<>();

    /**
     * Starts servers and agents.
     *
     * @throws NotPermittedException if memory cannot be limited here
     */
    Fleet(ProcessGroup processes, Roles roles, Cluster cluster, LimitedBy by)
            throws IOException, NotPermittedException {
        this.cluster = cluster;
        for (int n = 1; n <= SERVERS; n++) {
            MemoryLimit limit = by.limit(processes.directory(), "server-" + n, SERVER_BYTES);
            limits.add(limit);
            NodeAddress address = server(processes, limit, n);
            servers.add(address);
            registrations.add(cluster.join(member(n, address)));
            roles.start(
                    "agent",
                    "agent-" + n,
                    List.of("--host", host(n), "--cgroup", limit.directory().toString()));
        }
    }

    private static NodeAddress server(ProcessGroup processes, MemoryLimit limit, int n) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                processes.directory().resolve("documents-" + n).toString(),
                Integer.toString(DOCUMENT_BYTES),
                Long.toString(MOST_HELD_BYTES)));
        arguments.addAll(limit.arguments());
        ChildProcess process = processes.startJava(
                "server-" + n, limit.enter(), SMALL_JVM, MemoryServer.class, arguments.toArray(String[]::new));
        return NodeAddress.parse(process.awaitReady(START_BOUND));
    }

    private static Member member(int n, NodeAddress address) {
        return new Member(
                new NodeId("server-" + n),
                Role.CACHE_SERVER,
                Map.of("http", address),
                Map.of("host", host(n)),
                "1",
                Instant.now());
    }

    private static String host(int n) {
        return "host-" + n;
    }

    /** Where they listen. */
    List<NodeAddress> servers() {
        return List.copyOf(servers);
    }

    /** Waits until the last run's requests are done, and brings the documents back into memory. */
    void warm() throws IOException {
        for (NodeAddress server : servers) {
            var connection = URI.create("http://" + server + "/warm").toURL().openConnection();
            connection.setReadTimeout(WARM_TIMEOUT_MILLIS);
            try (InputStream in = connection.getInputStream()) {
                in.readAllBytes();
            }
        }
    }

    /**
     * Waits until the cluster knows of each server what is true now, so that no run begins with what the last one left in
     * the reports.
     */
    void awaitReports() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + REPORT_BOUND.toNanos();
        for (int n = 1; n <= SERVERS; n++) {
            while (!isReported(n)) {
                if (System.nanoTime() > deadline) {
                    throw new CliException(ExitCode.FAILED, host(n) + ": its agent does not report what is so");
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private boolean isReported(int n) throws IOException {
        CounterReport report = cluster.counters().get().get(new NodeId(host(n)));
        long available = limits.get(n - 1).memory().headroomBytes();
        return report != null && Math.abs(report.sample().availableMemoryBytes() - available) <= DEAD_BAND_BYTES;
    }

    /** Processes that the kernel killed for memory so far. */
    long killed() throws IOException {
        long killed = 0;
        for (MemoryLimit limit : limits) {
            killed += limit.killed();
        }
        return killed;
    }

    /** Page faults so far that waited for the disk, on all servers. */
    long pageReads() throws IOException {
        long reads = 0;
        for (MemoryLimit limit : limits) {
            reads += limit.memory().majorFaults();
        }
        return reads;
    }

    @Override
    public void close() throws IOException {
        registrations.forEach(Registration::close);
        for (MemoryLimit limit : limits) {
            limit.close();
        }
    }
}
