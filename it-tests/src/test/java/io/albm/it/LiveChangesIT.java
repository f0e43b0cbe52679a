// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Cluster;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.tls.TestCertificates;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration changes ten times a second for half a minute, and no client notices. */
final class LiveChangesIT {
    private static final int CHANGES = 300;
    private static final int MILLIS_BETWEEN = 100;
    private static final int KINDS = 6;
    private static final int CLIENTS = 3;
    private static final int SECONDS_AT_MOST = 120;
    private static final String SECURE = "secure";
    private static final String CERTIFICATES = "frontend." + SECURE + ".tls-certificates";
    private static final List<String> POLICIES =
            List.of("least-connections", "round-robin", "albm", "peak-ewma", "hash");

    @Test
    void noConnectionIsDropped(@TempDir Path directory) throws Exception {
        try (RoleUnderTest zooKeeper = RoleUnderTest.start(
                                directory, "zookeeper", "--port", "0", "--admin-port", "0", "--data", "zookeeper")
                        .awaitReady();
                var first = new WebServer();
                var second = new WebServer();
                RoleUnderTest distributor =
                        start(directory, zooKeeper, first, second).awaitReady();
                Cluster cluster =
                        ZooKeeperCluster.connect(zooKeeper.endpoint("zookeeper").toString(), "albm")) {
            NodeAddress address = distributor.endpoint("http");
            RoleUnderTest.await().until(() -> RoleUnderTest.get(address, "/").statusCode() == 200);
            var changes = new Changes(
                    cluster,
                    List.of(first.address(), second.address()),
                    List.of(certificate(directory, "first"), certificate(directory, "second")));
            NodeAddress secure = secureFrontend(distributor, changes);
            Set<String> seen = ConcurrentHashMap.newKeySet();
            try (SteadyLoad load = SteadyLoad.of(clients(address, secure, seen))) {
                changes.make();
                load.awaitAnswers(CHANGES);
                assertThat(load.failures()).isEmpty();
            }
            assertThat(seen).containsExactlyInAnyOrder("CN=first", "CN=second");
            assertThat(distributor.errors()).doesNotContain("refused");
        }
    }

    private static Path certificate(Path directory, String name) throws Exception {
        Path own = Files.createDirectory(directory.resolve(name));
        TestCertificates.write(own, name, "localhost");
        return own;
    }

    private static NodeAddress secureFrontend(RoleUnderTest distributor, Changes changes) {
        changes.openSecureFrontend();
        var address = new AtomicReference<NodeAddress>();
        RoleUnderTest.await().until(() -> {
            Json.tree(distributor.get("admin", "/frontends").body())
                    .path("frontends")
                    .forEach(frontend -> {
                        if (frontend.path("name").asText().equals(SECURE)) {
                            address.set(
                                    NodeAddress.parse(frontend.path("address").asText()));
                        }
                    });
            return address.get() != null;
        });
        return Objects.requireNonNull(address.get());
    }

    private static RoleUnderTest start(Path directory, RoleUnderTest zooKeeper, WebServer first, WebServer second)
            throws Exception {
        return RoleUnderTest.start(
                directory,
                "distributor",
                "--port",
                "0",
                "--admin-port",
                "0",
                "--zookeeper",
                zooKeeper.endpoint("zookeeper").toString(),
                "--backends",
                first.address() + "," + second.address(),
                "--data",
                directory.resolve("distributor").toString());
    }

    private static List<SteadyLoad.Client> clients(NodeAddress distributor, NodeAddress secure, Set<String> subjects)
            throws Exception {
        byte[] content = WebServer.CONTENT.getBytes(StandardCharsets.US_ASCII);
        List<SteadyLoad.Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(SteadyClients.http1(distributor, "/", content));
            clients.add(SteadyClients.http2(distributor, "/", content));
            clients.add(SteadyClients.tunnel(distributor, "/"));
            clients.add(SteadyClients.secureHttp1(secure, "/", content));
            clients.add(SteadyClients.secureHttp2(secure, "/", content));
            clients.add(SteadyClients.secureTunnel(secure, "/"));
        }
        clients.add(SteadyClients.newcomer(secure, "/", content, subjects));
        return clients;
    }

    /** One change of another kind each time. */
    private static final class Changes {
        private final Cluster cluster;
        private final List<NodeAddress> backends;
        private final List<Path> certificates;
        private final AtomicInteger made = new AtomicInteger();
        private final List<CompletableFuture<Void>> written = new ArrayList<>();

        Changes(Cluster cluster, List<NodeAddress> backends, List<Path> certificates) {
            this.cluster = cluster;
            this.backends = backends;
            this.certificates = certificates;
        }

        void openSecureFrontend() {
            set(Map.of(
                    "frontend." + SECURE + ".bind",
                    "127.0.0.1:0",
                    "frontend." + SECURE + ".pool",
                    "main",
                    CERTIFICATES,
                    certificates.getFirst().toString()));
        }

        void make() {
            try (var clock = Executors.newSingleThreadScheduledExecutor()) {
                var changing = clock.scheduleAtFixedRate(this::change, 0, MILLIS_BETWEEN, TimeUnit.MILLISECONDS);
                Awaitility.await()
                        .atMost(SECONDS_AT_MOST, TimeUnit.SECONDS)
                        .until(() -> made.get() >= CHANGES || changing.isDone());
                assertThat(changing.isDone()).isFalse();
            }
            assertThat(written).allSatisfy(change -> assertThat(change).succeedsWithin(1, TimeUnit.MINUTES));
        }

        private void change() {
            int turn = made.getAndIncrement();
            int round = turn / KINDS;
            switch (turn % KINDS) {
                case 0 -> set(Map.of("policy", POLICIES.get(round % POLICIES.size())));
                case 1 -> set(Map.of("threshold.available-memory.relieve", turn + "KiB"));
                case 2 -> set(Map.of("weight." + backends.getLast(), Integer.toString(1 + round)));
                case 3 -> set(Map.of(CERTIFICATES, certificates.get(round % 2).toString()));
                case 4 -> toggle(Map.of("weight." + backends.getFirst(), "0"));
                default -> toggle(extra());
            }
        }

        /** One more frontend, pool and route. */
        private Map<String, String> extra() {
            return Map.of(
                    "frontend.extra.bind", "127.0.0.1:0",
                    "frontend.extra.pool", "extra",
                    "pool.extra.backends", backends.getFirst().toString(),
                    "route.extra.path", "/extra/",
                    "route.extra.pool", "extra");
        }

        private void set(Map<String, String> settings) {
            written.add(cluster.configure("distributor", now -> with(now, settings)));
        }

        private void toggle(Map<String, String> settings) {
            written.add(cluster.configure(
                    "distributor",
                    now -> now.keySet().containsAll(settings.keySet()) ? without(now, settings) : with(now, settings)));
        }

        private static Map<String, String> with(Map<String, String> now, Map<String, String> settings) {
            Map<String, String> changed = new TreeMap<>(now);
            changed.putAll(settings);
            return changed;
        }

        private static Map<String, String> without(Map<String, String> now, Map<String, String> settings) {
            Map<String, String> changed = new TreeMap<>(now);
            changed.keySet().removeAll(settings.keySet());
            return changed;
        }
    }
}
