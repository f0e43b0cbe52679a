// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.albm.cache.CacheServerRole;
import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.DistributorRole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The distributor tells a cache server what waits for it, and the server keeps that: both roles, over real sockets. */
@Timeout(60)
class AnnouncedWindowTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final String NO_ZOOKEEPER = "127.0.0.1:1";

    /** By it no announcement grows old, however long the test takes. */
    private static final MonotonicClock STANDING = () -> 0;

    private static final int DOCUMENT_BYTES = 1000;

    /** Two documents with their heads and what they take on the heap, and no third. */
    private static final String CAPACITY = "8000";

    @TempDir
    private Path data;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer origin;

    /** One role as the launcher would run it, but for signals, without a cluster. */
    private final class Running implements AutoCloseable {
        private final Transport transport = Transport.open(1);
        private final ZooKeeperCluster cluster = ZooKeeperCluster.connect(NO_ZOOKEEPER, "test");
        private final Metrics metrics;
        private final AdminServer admin;
        private final RoleService service;
        private final NodeAddress http;

        Running(RoleDefinition role, MonotonicClock clock, Map<String, String> settings) throws Exception {
            Configuration configuration = Configuration.load(role.schema(), Sources.commandLine(settings));
            NodeId id = configuration.get(CommonKeys.ID);
            Health health = new Health(InstantSource.system());
            metrics = new Metrics(role.role(), id);
            admin = new AdminServer(transport, ANY_PORT, role.role(), id, health, metrics);
            service = role.create(new RoleContext(
                    role.role(), configuration, cluster, metrics, transport, health, admin, clock, data));
            Member member = service.start();
            http = member.endpoint("http").orElseThrow();
        }

        void awaitMetric(String name, int value) {
            await().until(() -> metrics.prometheusText().contains("albm_" + name + " " + value + ".0\n"));
        }

        @Override
        public void close() {
            service.close();
            admin.close();
            cluster.close();
            metrics.close();
            transport.close();
        }
    }

    @BeforeEach
    void startOrigin() throws IOException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        origin.createContext("/", this::answer);
        origin.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        try (exchange) {
            CountDownLatch latch = held.get(path);
            if (latch != null) {
                latch.await();
            }
            boolean kept = path.startsWith("/kept/");
            exchange.getResponseHeaders().add("Cache-Control", kept ? "max-age=60" : "no-store");
            exchange.sendResponseHeaders(200, DOCUMENT_BYTES);
            exchange.getResponseBody().write(new byte[DOCUMENT_BYTES]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        held.values().forEach(CountDownLatch::countDown);
        client.close();
        origin.stop(0);
    }

    @Test
    void whatWaitsAtTheDistributorIsSparedByTheCache() throws Exception {
        run(true, 1);

        assertThat(Collections.frequency(asked, "/kept/wanted")).isEqualTo(1);
        assertThat(Collections.frequency(asked, "/kept/other")).isEqualTo(2);
    }

    @Test
    void whatWaitsUnannouncedIsNot() throws Exception {
        run(false, 0);

        assertThat(Collections.frequency(asked, "/kept/wanted")).isEqualTo(2);
    }

    /** A request for what would be the next victim waits while another one's response makes room for itself. */
    private void run(boolean announces, int announced) throws Exception {
        try (var cache = new Running(new CacheServerRole(), STANDING, cacheSettings());
                var distributor = new Running(
                        new DistributorRole(), MonotonicClock.system(), distributorSettings(cache, announces))) {
            await().until(() -> get(distributor, "/kept/wanted").join() == 200);
            assertThat(get(distributor, "/kept/other").join()).isEqualTo(200);
            var first = hold(distributor, "/first");
            var second = hold(distributor, "/second");
            awaitAsked("/first", "/second");
            var newcomer = hold(distributor, "/kept/newcomer");
            distributor.awaitMetric("queued_requests_total", 1);
            var wanted = get(distributor, "/kept/wanted");
            distributor.awaitMetric("queued_requests_total", 2);

            let("/first");
            awaitAsked("/kept/newcomer");
            cache.awaitMetric("cache_announced_requests", announced);
            cache.awaitMetric("cache_announced_total", announced);
            let("/kept/newcomer");

            assertThat(List.of(first.join(), newcomer.join(), wanted.join())).containsOnly(200);
            cache.awaitMetric("cache_announced_requests", 0);
            let("/second");
            assertThat(second.join()).isEqualTo(200);
            assertThat(get(distributor, "/kept/other").join()).isEqualTo(200);
        }
    }

    private Map<String, String> cacheSettings() {
        return Map.of(
                "id", "cache-1",
                "port", "0",
                "origin", "http://127.0.0.1:" + origin.getAddress().getPort(),
                "policy", "window-lru",
                "capacity", CAPACITY,
                "announced-window", "1024");
    }

    /** Health checks are requests, too: one is enough. */
    private static Map<String, String> distributorSettings(Running cache, boolean announces) {
        return Map.of(
                "id", "distributor-1",
                "port", "0",
                "backends", cache.http.toString(),
                "check-interval", "1 h",
                "rise", "1",
                "max-backend-connections", "2",
                "queue-timeout", "30 s",
                "announce-waiting", Boolean.toString(announces));
    }

    private CompletableFuture<Integer> get(Running distributor, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + distributor.http + path))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
    }

    /** The origin answers once the test lets it. */
    private CompletableFuture<Integer> hold(Running distributor, String path) {
        held.put(path, new CountDownLatch(1));
        return get(distributor, path);
    }

    private void let(String path) {
        Objects.requireNonNull(held.get(path), path).countDown();
    }

    private void awaitAsked(String... paths) {
        await().until(() -> asked.containsAll(List.of(paths)));
    }
}
