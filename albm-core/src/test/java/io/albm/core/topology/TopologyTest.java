// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyTest {
    private static final Map<String, String> EXAMPLE = SettingsFile.read("""
            # two frontends, two pools
            frontend.web.bind = 127.0.0.1:8080
            frontend.web.pool = docs
            frontend.tunnel.bind = [::1]:0
            frontend.tunnel.mode = tcp
            frontend.tunnel.send-proxy-protocol = v2
            frontend.tunnel.pool = api
            frontend.tunnel.policy = hash
            route.api.host = API.example.org      # case does not matter
            route.api.path = /v1/
            route.api.pool = api
            route.api.priority = high
            pool.docs.members = cache-server
            pool.api.backends = 10.0.0.1:80 weight=3, 10.0.0.2:80
            pool.api.max-connections = 16
            pool.api.queue-timeout = 500 ms
            weight.10.0.0.2:80 = 0
            weight.cache-1 = 20
            policy = albm
            """);

    @Test
    void readsWhatTheKeysSay() {
        Topology topology = Topology.parse(EXAMPLE);

        assertThat(topology.frontends().get("web"))
                .isEqualTo(new FrontendSpec(
                        "web",
                        new NodeAddress("127.0.0.1", 8080),
                        FrontendMode.HTTP,
                        null,
                        ClearText.ANY,
                        false,
                        ProxyGreeting.NONE,
                        "docs",
                        null));
        assertThat(topology.frontends().get("tunnel"))
                .extracting(FrontendSpec::mode, FrontendSpec::greeting, FrontendSpec::policy)
                .containsExactly(FrontendMode.TCP, ProxyGreeting.V2, "hash");
        assertThat(topology.routes())
                .containsExactly(new RouteSpec("api", null, "api.example.org", "/v1/", "api", Priority.HIGH));
        assertThat(pool(topology, "docs").members()).isEqualTo(Role.CACHE_SERVER);
        assertThat(pool(topology, "api").backends())
                .containsExactly(
                        new StaticBackend(new NodeAddress("10.0.0.1", 80), 3),
                        new StaticBackend(new NodeAddress("10.0.0.2", 80), 1));
        assertThat(pool(topology, "api").maxConnections()).isEqualTo(16);
        assertThat(pool(topology, "api").queueTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(topology.weights()).isEqualTo(new TreeMap<>(Map.of("10.0.0.2:80", 0, "cache-1", 20)));
        assertThat(topology.policy()).isEqualTo("albm");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frontend.web.bin | 127.0.0.1:1 | did you mean 'bind'",
                "frontend.web.bind | 8080 | expected host:port",
                "frontend.web.bind | [::1]:0 9 | expected host:port",
                "frontend.Web.bind | 127.0.0.1:1 | expected up to 63 of a-z",
                "frontend.web.mode | htttp | expected one of http, tcp; did you mean 'http'",
                "frontend.web.pool | dcos | no pool 'dcos': expected one of api, docs; did you mean 'docs'",
                "frontend.web.policy | leastconn | expected one of albm, albm-threshold",
                "frontend.web.send-proxy-protocol | v1 | expected mode = tcp",
                "frontend.tunnel.bind | 127.0.0.1:8080 | is the address of frontend",
                "frontend.web.accept-proxy-protocol | yes | expected one of true, false",
                "fronted.web.bind | 127.0.0.1:1 | did you mean 'frontend'",
                "route.api.frontend | wob | no frontend 'wob': expected one of tunnel, web; did you mean 'web'",
                "route.api.frontend | tunnel | expected a frontend of mode http",
                "route.api.host | api.example.org:80 | expected a host without a port",
                "route.api.path | v1 | from its '/'",
                "route.api.path | /v1?x | without '?'",
                "route.api.priority | urgent | expected one of high, normal, low",
                "route.other.pool | | is not set: expected the name of a pool",
                "pool.docs.members | cache-servers | expected cache-server; did you mean 'cache-server'",
                "pool.api.backends | 10.0.0.1:80 10 | expected host:port, or host:port weight=3",
                "pool.api.backends | 10.0.0.1:0 | expected a port of 1 to 65535",
                "pool.api.backends | 10.0.0.1:80,10.0.0.1:80 | twice",
                "pool.api.backends | 10.0.0.1:80 weight=257 | expected a whole number of 0 to 256",
                "pool.api.max-connections | 0 | expected a whole number of 1 to 1000000",
                "pool.api.queue-timeout | 5 | expected a time of 1 ms to 1 h",
                "pool.api.check-path | GET /health | from its '/'",
                "pool.api.check-path | health | from its '/'",
                "pool.empty.policy | albm | expected a list such as",
                "weight.cache-1 | -1 | expected a whole number of 0 to 256",
                "policy | albn | did you mean 'albm'",
            })
    void saysWhatIsWrongWithAKey(String key, @Nullable String value, String told) {
        assertThat(mistakes(changed(key, value == null ? "" : value)))
                .anySatisfy(mistake -> assertThat(mistake.toString()).contains(told));
    }

    @Test
    void namesAllMistakesAtOnce() {
        Map<String, String> settings = new HashMap<>(EXAMPLE);
        settings.put("frontend.web.mode", "ftp");
        settings.put("pool.api.rise", "none");
        settings.put("weight.cache-1", "heavy");
        assertThat(mistakes(settings))
                .extracting(Mistake::key)
                .containsExactlyInAnyOrder("frontend.web.mode", "pool.api.rise", "weight.cache-1");
    }

    @Test
    void refusesTwoRoutesOfWhichOneWouldNeverBeAsked() {
        Map<String, String> settings = new HashMap<>(EXAMPLE);
        settings.put("route.b.host", "api.example.org");
        settings.put("route.b.path", "/v1/");
        settings.put("route.b.pool", "docs");
        assertThat(mistakes(settings))
                .containsExactly(new Mistake(
                        "route.b", "takes the same requests as route api: expected another frontend, host or path"));
    }

    @Test
    void asksTheMostSpecificRouteFirst() {
        Map<String, String> settings = new HashMap<>(EXAMPLE);
        route(settings, "any", null, null);
        route(settings, "path", null, "/v1/deep/er");
        route(settings, "wide", "*.org", null);
        route(settings, "wild", "*.example.org", null);
        route(settings, "host", "api.example.org", null);
        route(settings, "deep", "api.example.org", "/v1/deep");
        assertThat(Topology.parse(settings).routes())
                .extracting(RouteSpec::name)
                .containsExactly("deep", "api", "host", "wild", "wide", "path", "any");
    }

    @Test
    void writesWhatItReads() {
        IntStream.range(0, 500).forEach(seed -> {
            Topology topology = random(new Random(seed));
            assertThat(Topology.parse(topology.settings())).as("seed %s", seed).isEqualTo(topology);
            assertThat(SettingsFile.read(SettingsFile.text(topology.settings())))
                    .as("seed %s", seed)
                    .isEqualTo(topology.settings());
        });
    }

    @Test
    void neverFailsOtherwiseThanByMistakes() {
        IntStream.range(0, 2_000).forEach(seed -> {
            Random random = new Random(seed);
            Map<String, String> settings = new TreeMap<>(random(random).settings());
            List<String> keys = List.copyOf(settings.keySet());
            for (int i = 0; i < 3 && !keys.isEmpty(); i++) {
                String key = keys.get(random.nextInt(keys.size()));
                settings.put(
                        random.nextBoolean() ? key : mutated(key, random),
                        mutated(settings.getOrDefault(key, ""), random));
            }
            try {
                Topology parsed = Topology.parse(settings);
                assertThat(Topology.parse(parsed.settings()))
                        .as("seed %s", seed)
                        .isEqualTo(parsed);
            } catch (TopologyException e) {
                assertThat(e.mistakes()).as("seed %s", seed).isNotEmpty();
            }
        });
    }

    @Test
    void tellsLinesThatAreNoSettings() {
        TopologyException told = catchThrowableOfType(
                TopologyException.class, () -> SettingsFile.read("pool.a.rise = 1\nnonsense\npool.a.rise = 2\n"));
        assertThat(told.mistakes())
                .extracting(Mistake::toString)
                .containsExactly(
                        "line 2: 'nonsense': expected key = value, such as frontend.web.pool = docs",
                        "line 3: 'pool.a.rise' was set before: expected each key once");
    }

    @Test
    void tellsSettingsApartByTheirFingerprint() {
        assertThat(Fingerprint.of(Map.of("a", "1", "b", "2")))
                .isEqualTo(Fingerprint.of(new TreeMap<>(Map.of("b", "2", "a", "1"))));
        assertThat(Fingerprint.of(Map.of("a", "1"))).isNotEqualTo(Fingerprint.of(Map.of("a", "2")));
    }

    private static PoolSpec pool(Topology topology, String name) {
        return Objects.requireNonNull(topology.pools().get(name));
    }

    private static void route(Map<String, String> settings, String name, @Nullable String host, @Nullable String path) {
        settings.put("route." + name + ".pool", "docs");
        if (host != null) {
            settings.put("route." + name + ".host", host);
        }
        if (path != null) {
            settings.put("route." + name + ".path", path);
        }
    }

    private static Map<String, String> changed(String key, String value) {
        Map<String, String> settings = new HashMap<>(EXAMPLE);
        settings.put(key, value);
        return settings;
    }

    private static List<Mistake> mistakes(Map<String, String> settings) {
        TopologyException told = catchThrowableOfType(TopologyException.class, () -> Topology.parse(settings));
        assertThat(told).isNotNull();
        return told.mistakes();
    }

    private static String mutated(String text, Random random) {
        var changed = new StringBuilder(text);
        int at = random.nextInt(text.length() + 1);
        switch (random.nextInt(3)) {
            case 0 -> changed.insert(at, (char) (' ' + random.nextInt(95)));
            case 1 -> changed.setLength(at);
            default -> changed.insert(at, text);
        }
        return changed.toString();
    }

    private static Topology random(Random random) {
        var pools = new TreeMap<String, PoolSpec>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            pools.put("p" + i, randomPool("p" + i, random));
        }
        var frontends = new TreeMap<String, FrontendSpec>();
        for (int i = 0; i < random.nextInt(4); i++) {
            frontends.put("f" + i, randomFrontend("f" + i, i, oneOf(List.copyOf(pools.keySet()), random), random));
        }
        var routes = new ArrayList<RouteSpec>();
        List<String> http = frontends.values().stream()
                .filter(frontend -> frontend.mode() == FrontendMode.HTTP)
                .map(FrontendSpec::name)
                .toList();
        for (int i = 0; i < random.nextInt(5); i++) {
            routes.add(new RouteSpec(
                    "r" + i,
                    http.isEmpty() || random.nextBoolean() ? null : oneOf(http, random),
                    oneOf(new String[] {null, "a.example", "*.example", "[::1]"}, random),
                    "/" + i,
                    oneOf(List.copyOf(pools.keySet()), random),
                    oneOf(Priority.values(), random)));
        }
        var weights = new TreeMap<String, Integer>();
        if (random.nextBoolean()) {
            weights.put("10.0.0.1:80", random.nextInt(257));
        }
        return new Topology(frontends, routes, pools, weights, policy(random));
    }

    private static FrontendSpec randomFrontend(String name, int index, String pool, Random random) {
        FrontendMode mode = oneOf(FrontendMode.values(), random);
        boolean http = mode == FrontendMode.HTTP;
        return new FrontendSpec(
                name,
                random.nextInt(4) == 0 ? null : new NodeAddress("127.0.0.1", index),
                mode,
                http && random.nextBoolean() ? "/etc/certs" : null,
                oneOf(ClearText.values(), random),
                random.nextBoolean(),
                http ? ProxyGreeting.NONE : oneOf(ProxyGreeting.values(), random),
                pool,
                policy(random));
    }

    private static PoolSpec randomPool(String name, Random random) {
        boolean members = random.nextBoolean();
        var backends = IntStream.range(0, (members ? 0 : 1) + random.nextInt(3))
                .mapToObj(i -> new StaticBackend(new NodeAddress("10.0.0." + i, 80), random.nextInt(257)))
                .toList();
        return new PoolSpec(
                name,
                members ? Role.CACHE_SERVER : null,
                backends,
                policy(random),
                random.nextBoolean() ? null : 1 + random.nextInt(100),
                random.nextBoolean() ? null : random.nextInt(100),
                random.nextBoolean() ? null : Duration.ofMillis(1 + random.nextInt(10_000)),
                random.nextBoolean() ? null : "/health",
                random.nextBoolean() ? null : 1 + random.nextInt(10),
                random.nextBoolean() ? null : 1 + random.nextInt(10),
                random.nextBoolean() ? null : random.nextBoolean());
    }

    private static @Nullable String policy(Random random) {
        return random.nextBoolean() ? null : oneOf(PolicyNames.all(), random);
    }

    private static <T> T oneOf(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static <T> T oneOf(T[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }
}
