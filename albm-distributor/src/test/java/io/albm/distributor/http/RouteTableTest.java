// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head;
import io.albm.core.http.RequestHead;
import io.albm.core.topology.RouteSpec;
import io.albm.core.topology.Topology;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {
    private static final String OTHERWISE = "otherwise";

    private final RouteTable<String> table = table(
            "exact | api.example.org |",
            "exact-v1 | api.example.org | /v1/",
            "exact-v1-deep | api.example.org | /v1/deep/",
            "wild | *.example.org |",
            "wild-near | *.api.example.org | /n",
            "images | | /images/",
            "address | [::1] |");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api.example.org | / | exact",
                "API.Example.ORG:8080 | /v1/a | exact-v1",
                "api.example.org. | /v1/deep/er?x=1 | exact-v1-deep",
                "api.example.org | /v1 | exact",
                "api.example.org | /images/a | exact",
                "www.example.org | /images/a | wild",
                "a.b.example.org | / | wild",
                "x.api.example.org | /n | wild-near",
                "x.api.example.org | /m | wild",
                "example.org | / | otherwise",
                "notexample.org | / | otherwise",
                "other.org | /images/a | images",
                "other.org | /images | otherwise",
                "[::1]:80 | / | address",
                "other.org | http://api.example.org/v1/x | exact-v1",
                "other.org | http://API.example.org:80?x | exact",
            })
    void takesTheMostSpecificRouteThatFits(String host, String target, String expected) {
        assertThat(table.find(head(target, host))).isEqualTo(expected);
    }

    @Test
    void aRequestWithoutAHostFitsOnlyRoutesForAnyHost() {
        assertThat(table.find(head("/images/a", null))).isEqualTo("images");
        assertThat(table.find(head("/v1/", null))).isEqualTo(OTHERWISE);
    }

    @Test
    void anEmptyPathIsTheRoot() {
        RouteTable<String> root = table("root | a.example | /");
        assertThat(root.find(head("http://a.example", "b"))).isEqualTo("root");
        assertThat(root.find(head("http://a.example?x", "b"))).isEqualTo("root");
    }

    @Test
    void agreesWithAskingEachRouteInItsOrder() {
        String[] hosts = {"a.x", "b.x", "*.x", "*.a.x", "aa.x", "*.y", "bB.y", "Ab", "BC"};
        String[] paths = {"/", "/a", "/a/", "/a/b", "/b", "/b/a"};
        IntStream.range(0, 300).forEach(seed -> {
            Random random = new Random(seed);
            Map<String, String> settings = new HashMap<>(Map.of(
                    "pool.p.backends", "h:1",
                    "frontend.f.pool", "p",
                    "frontend.f.bind", "off"));
            for (int i = 0; i < random.nextInt(12); i++) {
                String host = random.nextInt(4) == 0 ? "" : hosts[random.nextInt(hosts.length)];
                String path = random.nextInt(4) == 0 ? "" : paths[random.nextInt(paths.length)];
                settings.put("route." + name(host, path) + ".host", host);
                settings.put("route." + name(host, path) + ".path", path);
                settings.put("route." + name(host, path) + ".pool", "p");
            }
            List<RouteSpec> routes = Topology.parse(settings).routes();
            RouteTable<String> built = table(routes);
            for (int i = 0; i < 20; i++) {
                String host = hosts[random.nextInt(hosts.length)].replace("*", "z");
                String path = paths[random.nextInt(paths.length)] + (random.nextBoolean() ? "c" : "");
                assertThat(built.find(head(path, host)))
                        .as("seed %s, %s%s of %s", seed, host, path, routes)
                        .isEqualTo(oneByOne(routes, host.toLowerCase(Locale.ROOT), path));
            }
        });
    }

    private static String name(String host, String path) {
        return "r" + Integer.toUnsignedString((host + path).hashCode());
    }

    private static String oneByOne(List<RouteSpec> routes, String host, String path) {
        return routes.stream()
                .filter(route -> fits(route.host(), host) && (route.path() == null || path.startsWith(route.path())))
                .map(RouteSpec::name)
                .findFirst()
                .orElse(OTHERWISE);
    }

    private static boolean fits(@Nullable String pattern, String host) {
        if (pattern == null || pattern.equals(host)) {
            return true;
        }
        return pattern.startsWith("*.") && host.endsWith(pattern.substring(1)) && host.length() >= pattern.length();
    }

    private static RouteTable<String> table(String... rules) {
        Map<String, String> settings = new HashMap<>(Map.of("pool.p.backends", "h:1"));
        for (String rule : rules) {
            String[] parts = rule.split("\\|", -1);
            settings.put("route." + parts[0].strip() + ".host", parts[1].strip());
            settings.put("route." + parts[0].strip() + ".path", parts[2].strip());
            settings.put("route." + parts[0].strip() + ".pool", "p");
        }
        return table(Topology.parse(settings).routes());
    }

    private static RouteTable<String> table(List<RouteSpec> routes) {
        return new RouteTable<>(
                routes.stream()
                        .map(route -> new RouteTable.Rule<>(route.host(), route.path(), route.name()))
                        .toList(),
                OTHERWISE);
    }

    private static RequestHead head(String target, @Nullable String host) {
        var head = new RequestHead(16 << 10);
        String text =
                "GET " + target + (host == null ? " HTTP/1.0\r\n" : " HTTP/1.1\r\nHost: " + host + "\r\n") + "\r\n";
        assertThat(head.feed(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1)))
                .as(text)
                .isEqualTo(Head.Progress.COMPLETE);
        return head;
    }
}
