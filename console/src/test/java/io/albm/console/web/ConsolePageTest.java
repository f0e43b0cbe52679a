// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.cluster.Cluster;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.web.WebResponse;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, against a real ZooKeeper and members with real admin ports. */
class ConsolePageTest {

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path dir;

    private final Transport transport = Transport.open(2);
    private EmbeddedZooKeeper zooKeeper;
    private Cluster cluster;
    private Running console;
    private NodeAddress page;

    /** A member with an admin port of its own. */
    private record Running(Role role, NodeId id, Health health, Metrics metrics, AdminServer admin)
            implements AutoCloseable {

        Member member(Map<String, NodeAddress> endpoints) {
            var all = new HashMap<>(endpoints);
            all.put(Member.ADMIN, admin.address());
            return new Member(id, role, all, Map.of(), "test", Instant.EPOCH);
        }

        @Override
        public void close() {
            admin.close();
            metrics.close();
        }
    }

    private RoleService service;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), ANY_PORT);
        cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "rack");
        console = running(Role.CONSOLE, "console");
        var role = new ConsoleRole();
        var settings = Map.of("port", "0", "zookeeper", zooKeeper.address().toString());
        var configuration = Configuration.load(role.schema(), Sources.commandLine(settings));
        service = role.create(new RoleContext(
                Role.CONSOLE,
                configuration,
                cluster,
                console.metrics(),
                transport,
                console.health(),
                console.admin(),
                MonotonicClock.system(),
                dir));
        var self = service.start();
        page = self.endpoint("http").orElseThrow();
        cluster.join(console.member(self.endpoints())).registered().join();
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
        console.close();
        cluster.close();
        zooKeeper.close();
        transport.close();
    }

    @Test
    void showsMembersAndEveryChangeLive() throws Exception {
        assumeTrue(Chromium.executable().isPresent(), "chromium is not installed: .ci/install does that");
        try (var cache = running(Role.CACHE_SERVER, "cache-1");
                var browser = new Chromium(dir, "http://" + page + "/")) {
            await().atMost(PATIENCE).until(() -> browser.text().contains("console"));
            assertThat(browser.text()).contains("1 member serves", "No agent reports counters.");

            var registration = cluster.join(cache.member(Map.of("http", new NodeAddress("127.0.0.1", 8101))));
            await().atMost(PATIENCE).until(() -> browser.text().contains("2 members serve"));
            assertThat(browser.text()).contains("cache-1", "127.0.0.1:8101");

            cache.health().warn("documents", "<b>3 files</b> are too large");
            await().atMost(PATIENCE).until(() -> browser.text().contains("documents: <b>3 files</b> are too large"));

            var sample =
                    new CounterSample(96L << 20, 12.5, 2.0, 0.75, 3_500_000, 42).with(Counter.MEMORY_PRESSURE, 0.31);
            var relieved = new HostHealth.Relieved(Instant.EPOCH, "availableMemoryBytes", 96L << 20);
            cluster.publish(new CounterReport(cache.id(), sample, relieved, 1, Instant.EPOCH));
            await().atMost(PATIENCE).until(() -> browser.text().contains("relieved"));
            assertThat(browser.text())
                    .contains(
                            "available memory was at 96 MiB",
                            "13/s",
                            "75 %",
                            "3.3 MiB/s",
                            "42",
                            "memory pressure 31 %");
            keepScreenshots(browser);

            var fewer = CounterSample.of(counter -> counter == Counter.AVAILABLE_MEMORY ? 64L << 20 : Double.NaN);
            cluster.publish(new CounterReport(cache.id(), fewer, relieved, 2, Instant.EPOCH));
            await().atMost(PATIENCE).until(() -> !browser.text().contains("Run queue"));
            assertThat(browser.text()).contains("Available memory", "64 MiB");

            cache.health().block("documents", "gone");
            await().atMost(PATIENCE).until(() -> browser.text().contains("1 of 2 members: attention needed"));

            registration.close();
            await().atMost(PATIENCE).until(() -> !browser.text().contains("127.0.0.1:8101"));
        }
    }

    @Test
    void showsThePoolsOfADistributorAndTheirPanic() throws Exception {
        assumeTrue(Chromium.executable().isPresent(), "chromium is not installed: .ci/install does that");
        var routing = new AtomicReference<>(pool("main", false, List.of(), List.of()));
        try (var distributor = running(Role.DISTRIBUTOR, "lb-1");
                var browser = new Chromium(dir, "http://" + page + "/")) {
            await().atMost(PATIENCE).until(() -> browser.text().contains("No distributor answers."));

            distributor.admin().route("/routing", _ -> WebResponse.json(200, Objects.requireNonNull(routing.get())));
            cluster.join(distributor.member(Map.of())).registered().join();
            await().atMost(PATIENCE).until(() -> browser.text().contains("The pool has no backends."));
            assertThat(browser.text()).doesNotContain("No distributor answers.", "anic");

            Map<String, Object> backend = Map.of("id", "web-1", "health", "serving", "inFlight", 7);
            var images = pool("images", true, List.of(backend), List.of());
            routing.set(pool("main", false, List.of(), List.of(images)));
            await().atMost(PATIENCE).until(() -> browser.text().contains("web-1"));
            assertThat(browser.text())
                    .contains(
                            "The pool has no backends.", "images", "panic in pool images: too few backends can serve");
        }
    }

    private static Map<String, Object> pool(String name, boolean panic, List<?> backends, List<?> others) {
        return Map.of(
                "pool", name,
                "policy", "round-robin",
                "thresholds", List.of(),
                "panic", panic,
                "backends", backends,
                "others", others);
    }

    @Test
    void letsNothingButItsOwnFilesIntoThePage() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            for (var path : new String[] {"/", "/app.js", "/style.css", "/format.js"}) {
                var request = HttpRequest.newBuilder(URI.create("http://" + page + path))
                        .build();
                var response = client.send(request, BodyHandlers.ofString());
                assertThat(response.statusCode()).as(path).isEqualTo(200);
                assertThat(response.headers().firstValue("content-security-policy"))
                        .hasValueSatisfying(policy -> assertThat(policy)
                                .startsWith("default-src 'none'")
                                .doesNotContain("unsafe"));
                assertThat(response.body()).doesNotContain("https://").doesNotContain("innerHTML");
            }
        }
    }

    private static void keepScreenshots(Chromium browser) throws IOException {
        var target = Path.of("target");
        browser.prefer("light");
        browser.screenshot(target.resolve("console-light.png"));
        browser.prefer("dark");
        browser.screenshot(target.resolve("console-dark.png"));
    }

    private Running running(Role role, String name) throws IOException {
        var id = new NodeId(name);
        var health = new Health(InstantSource.system());
        var metrics = new Metrics(role, id);
        return new Running(role, id, health, metrics, new AdminServer(transport, ANY_PORT, role, id, health, metrics));
    }
}
