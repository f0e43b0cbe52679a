// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.topology.Fingerprint;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real ZooKeeper; for each cache server stands an admin port that says what a real one would. */
class CacheCommandTest extends CommandHarness {
    @TempDir
    private Path temp;

    private Transport transport;
    private WebServer admin;

    @BeforeEach
    void start() throws IOException {
        transport = Transport.open(1);
        admin = new WebServer(transport, ANY_PORT, Map.of());
        admin.route("/cache", _ -> WebResponse.json(200, state()));
        admin.route(
                "/cache/top",
                request -> WebResponse.json(
                        200,
                        List.of(Map.of(
                                "name",
                                request.query().getOrDefault("by", List.of()).getFirst(),
                                "requests",
                                7,
                                "bytes",
                                100))));
        admin.route(
                "/cache/purge",
                request -> WebResponse.json(
                        200, Map.of("dropped", request.body().lines().count(), "left", 0)));
        admin.route(
                "/cache/warm",
                request -> WebResponse.json(
                        200, Map.of("found", request.body().lines().count())));
        join(Role.CACHE_SERVER, "cache-1", Map.of(Member.ADMIN, admin.address()), Map.of());
    }

    @AfterEach
    void stop() {
        admin.close();
        transport.close();
    }

    /** What a server says that takes over every live setting of the cluster at once. */
    private Map<String, Object> state() {
        Map<String, String> settings = settings();
        return Map.of(
                "policy", settings.getOrDefault("policy", "lru"),
                "policies", List.of("lru", "gdsf"),
                "objective", settings.getOrDefault("objective", "object-hits"),
                "capacityBytes", 64 << 20,
                "objectHitRatio", 0.5,
                "settings", Fingerprint.of(settings));
    }

    private Map<String, String> settings() {
        return cluster.configuration(LiveCluster.CACHE_SERVER).get();
    }

    private int cache(String... args) {
        return run(new CacheCommand(), args);
    }

    @Test
    void showsPeopleATableAndProgramsJson() {
        assertThat(cache("show")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).contains("SERVER   POLICY", "cache-1  lru", "64.0", "50.0 %");
        assertThat(cache("show", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(takeOutput()).at("/cache-1/policy").asText()).isEqualTo("lru");
        assertThat(cache("top", "--by", "bytes")).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("cache-1         7    100  bytes");
    }

    @Test
    void changesThePolicyOfAllOrOfOneAndWaitsForIt() {
        assertThat(cache("policy", "gdsf")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).contains("cache-1: in force");
        assertThat(cache("policy")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).contains("cache-1: gdsf for object-hits", "known: gdsf, lru");
        assertThat(cache("resize", "1GiB", "--server", "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(cache("policy", "--objective", "read-time")).isEqualTo(ExitCode.DONE);

        assertThat(settings())
                .containsEntry("policy", "gdsf")
                .containsEntry("objective", "read-time")
                .containsEntry("cache-1.capacity", "1GiB");

        assertThat(cache("policy", "--reset")).isEqualTo(ExitCode.DONE);
        assertThat(settings()).doesNotContainKey("policy");
    }

    @Test
    void tellsOfEachServerWhatItServesByAfterAChange() {
        join(Role.CACHE_SERVER, "cache-2", Map.of(Member.ADMIN, admin.address()), Map.of());
        assertThat(cache("resize", "64MiB", "--server", "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).isEqualTo("cache-1: in force\n");

        assertThat(cache("resize", "1GiB")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).isEqualTo("""
                        cache-1: keeps its own capacity 64MiB until --reset --server cache-1
                        cache-2: in force
                        """);
        assertThat(cache("policy", "gdsf", "--server", "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(cache("policy", "lru", "--objective", "read-time")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput())
                .contains("cache-1: in force, but keeps its own policy gdsf until --reset --server cache-1\n")
                .endsWith("cache-2: in force\n");

        assertThat(cache("resize", "--reset", "--server", "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).isEqualTo("cache-1: in force, capacity 1GiB as for all\n");
        assertThat(cache("policy", "--reset")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).isEqualTo("""
                        cache-1: in force, but keeps its own policy gdsf until --reset --server cache-1
                        cache-2: in force
                        """);
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertThat(cache("policy", "gdfs")).isEqualTo(ExitCode.USAGE);
        assertThat(cache("resize", "much")).isEqualTo(ExitCode.USAGE);
        assertThat(cache("resize")).isEqualTo(ExitCode.USAGE);
        assertThat(cache("top", "--by", "age")).isEqualTo(ExitCode.USAGE);
        assertThat(cache("warm")).isEqualTo(ExitCode.USAGE);
        assertThat(cache("show", "--server", "cache-9")).isEqualTo(ExitCode.USAGE);
        assertThat(errors())
                .contains(
                        "there is no policy 'gdfs'",
                        "resize much: expected a size such as 512MiB",
                        "expected SIZE or --reset",
                        "--by age: expected one of requests, bytes",
                        "expected paths of documents, or --from FILE",
                        "no cache-server 'cache-9'");
    }

    @Test
    void purgesAndWarmsInAsManyRequestsAsItTakes() throws IOException {
        Path list = temp.resolve("list");
        Files.writeString(
                list,
                IntStream.range(0, 5000).mapToObj(i -> "/document/" + i + "\n").collect(Collectors.joining()));

        assertThat(cache("purge", "/a", "/b*")).isEqualTo(ExitCode.DONE);
        assertThat(cache("warm", "/first", "--from", list.toString())).isEqualTo(ExitCode.DONE);

        assertThat(output()).contains("cache-1: 2 dropped", "cache-1: 5001 found");
    }
}
