// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.cache.origin.Origin;
import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.PutMode;
import io.albm.storage.node.StorageRig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheServerRoleTest {

    @TempDir
    private Path temp;

    private static Configuration configure(Map<String, String> values) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("port", "0", "id", "cache-7"));
        all.putAll(values);
        return Configuration.load(CacheServerConfig.schema(), new Sources(all, Map.of(), Optional.empty()));
    }

    @Test
    void servesItsDirectoryAndAnnouncesItself() throws Exception {
        Files.writeString(temp.resolve("a.txt"), "hello");
        Configuration configuration = configure(Map.of("docs", temp.toString(), "host", "rack-3"));
        try (Transport transport = Transport.open(1);
                Metrics metrics = new Metrics(Role.CACHE_SERVER, configuration.get(CommonKeys.ID));
                ZooKeeperCluster cluster = ZooKeeperCluster.connect("127.0.0.1:1", "test");
                RoleService service =
                        new CacheServerRole().create(context(configuration, transport, metrics, cluster))) {

            Member self = service.start();

            assertThat(self.attribute("host")).contains("rack-3");
            assertThat(self.attribute("policy")).contains("window-aware");
            NodeAddress http = self.endpoint("http").orElseThrow();
            assertThat(get(http, "/a.txt")).isEqualTo("hello");
            assertThat(get(http, "/a.txt")).isEqualTo("hello");
            assertThat(metrics.prometheusText())
                    .contains("albm_cache_requests_total 2.0")
                    .contains("albm_cache_reads_total 1.0")
                    .contains("albm_cache_object_hit_ratio 0.5")
                    .containsPattern("albm_cache_resident_bytes 2\\d\\d\\.0")
                    .containsPattern("albm_buffer_pool_bytes [1-9]");
            service.drain(Duration.ofSeconds(5));
        }
    }

    @Test
    void purgesADocumentInAllItsCodingsAndReadsItInThoseThatAreNamed() throws Exception {
        Files.writeString(temp.resolve("a.css"), "p { color: black }\n".repeat(100));
        Files.writeString(temp.resolve("a.css.br"), "by brotli");
        Files.writeString(temp.resolve("b.css"), "b");
        Configuration configuration = configure(Map.of("docs", temp.toString()));
        try (Transport transport = Transport.open(1);
                Metrics metrics = new Metrics(Role.CACHE_SERVER, configuration.get(CommonKeys.ID));
                ZooKeeperCluster cluster = ZooKeeperCluster.connect("127.0.0.1:1", "test")) {
            RoleContext context = context(configuration, transport, metrics, cluster);
            try (RoleService service = new CacheServerRole().create(context);
                    AdminServer admin = context.admin()) {
                service.start();
                NodeAddress port = admin.address();

                assertThat(post(port, "/cache/warm", "/a.css\n/a.css in br\n/a.css in gzip\n/a.css in zstd\n/b.css\n"))
                        .isEqualToIgnoringWhitespace("{\"found\":4,\"missing\":1}");
                assertThat(get(port, "/cache/top")).contains("/a.css in br", "/a.css in gzip");
                assertThat(metrics.prometheusText()).contains("albm_cache_read_seconds_bucket{le=\"+Inf\"} 4");

                assertThat(post(port, "/cache/purge", "/a.css in br")).contains("\"dropped\" : 1");
                assertThat(post(port, "/cache/purge", "/a.css")).contains("\"dropped\" : 2");
                assertThat(get(port, "/cache/top")).contains("/b.css").doesNotContain("/a.css");
            }
        }
    }

    private static String post(NodeAddress address, String path, String lines) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .POST(HttpRequest.BodyPublishers.ofString(lines))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void closesWhatItReadsTheLoadFrom() throws Exception {
        Configuration configuration = configure(Map.of("docs", temp.toString(), "orca-header", "true"));
        try (Transport transport = Transport.open(1);
                Metrics metrics = new Metrics(Role.CACHE_SERVER, configuration.get(CommonKeys.ID));
                ZooKeeperCluster cluster = ZooKeeperCluster.connect("127.0.0.1:1", "test")) {
            long before = openedMeminfo();
            RoleService service = new CacheServerRole().create(context(configuration, transport, metrics, cluster));
            service.start();
            assertThat(openedMeminfo()).isEqualTo(before + 1);

            service.close();

            assertThat(openedMeminfo()).isEqualTo(before);
        }
    }

    private static long openedMeminfo() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(descriptor -> "/proc/meminfo".equals(target(descriptor)))
                    .count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    @Test
    void servesFilesOfTheStripedStorage() throws Exception {
        Configuration configuration = configure(Map.of("storage", "/www"));
        try (StorageRig rig = StorageRig.start(temp.resolve("storage"), 3)) {
            rig.announce();
            rig.store().writeBytes("/www/a.txt", "striped".getBytes(StandardCharsets.US_ASCII), PutMode.CREATE);
            try (Transport transport = Transport.open(1);
                    Metrics metrics = new Metrics(Role.CACHE_SERVER, configuration.get(CommonKeys.ID));
                    ZooKeeperCluster cluster = ZooKeeperCluster.connect(rig.zooKeeper(), StorageRig.CLUSTER);
                    RoleService service =
                            new CacheServerRole().create(context(configuration, transport, metrics, cluster))) {

                NodeAddress http = service.start().endpoint("http").orElseThrow();

                await().until(() -> get(http, "/a.txt"), "striped"::equals);
                assertThat(get(http, "/b.txt")).isEqualTo("no such document\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "origin"})
    void refusesTwoSources(String other) throws Exception {
        Configuration configuration = configure(Map.of("storage", "/www", other, "http://127.0.0.1:1"));
        assertRefused(configuration, "storage = '/www'", "expected one of them", other + " = ");
    }

    @Test
    void refusesAPathThatNoFileInTheStorageCanHave() throws Exception {
        assertRefused(configure(Map.of("storage", "/www/../x")), "storage = '/www/../x'", "such as /www");
    }

    private void assertRefused(Configuration configuration, String... words) throws Exception {
        try (Transport transport = Transport.open(1);
                Metrics metrics = new Metrics(Role.CACHE_SERVER, configuration.get(CommonKeys.ID));
                ZooKeeperCluster cluster = ZooKeeperCluster.connect("127.0.0.1:1", "test")) {
            RoleContext context = context(configuration, transport, metrics, cluster);
            assertThatThrownBy(() -> new CacheServerRole().create(context))
                    .isInstanceOf(ConfigException.class)
                    .message()
                    .contains(words);
        }
    }

    private RoleContext context(
            Configuration configuration, Transport transport, Metrics metrics, ZooKeeperCluster cluster)
            throws Exception {
        Health health = new Health(InstantSource.system());
        AdminServer admin = new AdminServer(
                transport,
                new NodeAddress("127.0.0.1", 0),
                Role.CACHE_SERVER,
                configuration.get(CommonKeys.ID),
                health,
                metrics);
        return new RoleContext(
                Role.CACHE_SERVER,
                configuration,
                cluster,
                metrics,
                transport,
                health,
                admin,
                MonotonicClock.system(),
                temp);
    }

    private static String get(NodeAddress address, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void announcesItsOwnIdAsHostUnlessTold() {
        assertThat(CacheServerConfig.host(configure(Map.of()))).isEqualTo("cache-7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://127.0.0.1:1",
                "127.0.0.1:80",
                "http://user@127.0.0.1:80",
                "http://127.0.0.1:80?q",
                "http://",
                "http://a b",
                "http://127.0.0.1:99999",
            })
    void refusesAnOriginThatIsNoHttpAddress(String origin) {
        assertThatThrownBy(() -> OriginKeys.settings(configure(Map.of("origin", origin))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("origin = '" + origin)
                .hasMessageContaining("expected http://HOST:PORT or https://HOST:PORT");
    }

    @Test
    void refusesADirectoryAndAnOriginAtOnce() {
        assertThatThrownBy(() -> OriginKeys.settings(configure(Map.of("origin", "http://127.0.0.1:1", "docs", "www"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("docs = 'www'")
                .hasMessageContaining("expected one of them");
    }

    @Test
    void takesAnOriginByNameAndByAddress() {
        assertThat(origin(Map.of("origin", "http://example.org")))
                .isEqualTo(Origin.at(new NodeAddress("example.org", 80)));
        assertThat(origin(Map.of("origin", "http://[::1]:8080/"))).isEqualTo(Origin.at(new NodeAddress("::1", 8080)));
        assertThat(origin(Map.of("origin", "http://example.org/site/")).prefix())
                .isEqualTo("/site");
    }

    private static Origin origin(Map<String, String> values) {
        return OriginKeys.settings(configure(values)).origin();
    }

    @Test
    void speaksTlsToAnOriginOfHttps() {
        Origin secure = origin(Map.of("origin", "https://example.org"));
        assertThat(secure.address()).isEqualTo(new NodeAddress("example.org", 443));
        assertThat(secure.tls()).isNotNull();
        assertThat(origin(Map.of("origin", "https://[::1]:8443", "origin-unverified", "true"))
                        .tls())
                .isNotNull();
    }

    @Test
    void refusesWhatTlsCannotBeMadeOf() throws Exception {
        Path none = temp.resolve("none.pem");
        assertThatThrownBy(() -> origin(Map.of("origin", "https://example.org", "origin-trust", none.toString())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("origin-trust = '" + none)
                .hasMessageContaining("expected a file of PEM certificates");
        assertThatThrownBy(() -> origin(Map.of("origin", "https://o.example./")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("host 'o.example.'")
                .hasMessageContaining("without a dot at its end");
        assertThatThrownBy(() -> origin(Map.of("origin", "http://example.org", "origin-unverified", "true")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("origin-unverified")
                .hasMessageContaining("expected an origin of https://");
    }

    @Test
    void refusesDocumentsThatAreNoDirectory() {
        Configuration configuration =
                configure(Map.of("docs", temp.resolve("none").toString()));

        assertThatThrownBy(() -> CacheServerRole.documents(configuration))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("docs = '" + temp.resolve("none"))
                .hasMessageContaining("--docs DIR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "HTTPS://example.org/docs"})
    void sendsWhoNamesAUrlAsDirectoryToTheOrigin(String url) {
        assertThatThrownBy(() -> CacheServerRole.documents(configure(Map.of("docs", url))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("docs = '" + url.substring(0, 5))
                .hasMessageContaining("--origin http://HOST:PORT");
    }

    @Test
    void refusesACapacityBeyondTheDirectMemory() {
        assertThatThrownBy(() -> CacheServerConfig.store(configure(Map.of("capacity", "512 GiB"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("-XX:MaxDirectMemorySize");
    }
}
