// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cluster.Registration;
import io.albm.core.json.Json;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.proxy.RawBackend;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The whole role over real sockets and a real ZooKeeper. */
class DistributorTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final long MIB = 1L << 20;

    private static EmbeddedZooKeeper sharedZooKeeper;

    @TempDir
    private Path temp;

    private final HttpClient http = HttpClient.newHttpClient();
    private NodeAddress zooKeeper;
    private String cluster;
    private ZooKeeperCluster others;
    private RawBackend one;
    private RawBackend two;
    private long sequence;

    @BeforeAll
    static void startZooKeeper(@TempDir Path data) throws IOException {
        sharedZooKeeper = EmbeddedZooKeeper.start(data, ANY_PORT);
    }

    @AfterAll
    static void stopZooKeeper() {
        sharedZooKeeper.close();
    }

    @BeforeEach
    void start(TestInfo test) throws IOException {
        zooKeeper = sharedZooKeeper.address();
        cluster = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        others = connect();
        one = new RawBackend(RawBackend.text("one"));
        two = new RawBackend(RawBackend.text("two"));
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        others.close();
        http.close();
    }

    @Test
    void relievesABackendWhoseHostIsShortOfMemoryUntilItHasRecovered() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            report("cache-1", 50);
            report("cache-2", 500);
            await().until(() -> backend(distributor, "cache-1").path("health").asText(), "relieved"::equals);

            assertThat(answers(distributor, 20)).containsExactly("two");
            JsonNode relieved = backend(distributor, "cache-1").path("relieved");
            assertThat(relieved.path("counter").asText()).isEqualTo("available-memory");
            assertThat(relieved.path("value").asLong()).isEqualTo(50 * MIB);
            assertThat(distributor.metrics.prometheusText())
                    .contains("albm_backend_relieved{backend=\"cache-1\",pool=\"main\"} 1.0");

            report("cache-1", 500);
            await().until(() -> backend(distributor, "cache-1").path("health").asText(), "up"::equals);
            assertThat(answers(distributor, 20)).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void showsWhatRequestsMayHoldOfEachHost() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of("policy", "albm"))) {
            bothServe(distributor);
            assertThat(backend(distributor, "cache-1").path("limitBytes").isNull())
                    .isTrue();

            report("cache-1", 500);
            await().until(
                            () -> backend(distributor, "cache-1")
                                    .path("limitBytes")
                                    .asLong(),
                            limit -> limit == 370 * MIB);
            assertThat(backend(distributor, "cache-1").path("costInFlightBytes").asLong(-1))
                    .isZero();
            assertThat(routing(distributor).path("routeCosts").isObject()).isTrue();
        }
    }

    @Test
    void takesAnotherPolicyAndOtherLevelsWhileItRuns() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            others.configure("distributor", "policy", "least-connections").join();
            others.configure("distributor", "threshold.available-memory.recover", "2 GiB")
                    .join();

            await().until(() -> routing(distributor).path("policy").asText(), "least-connections"::equals);
            await().until(
                            () -> routing(distributor)
                                    .path("thresholds")
                                    .path(0)
                                    .path("recover")
                                    .asLong(),
                            level -> level == 2048 * MIB);
        }
    }

    @Test
    void refusesALiveSettingThatMakesNoSenseAndKeepsTheOldOne() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            refuses(distributor, "policy", "round-robbin");
            refuses(distributor, "threshold.available-memory.relieve", "many");

            assertThat(routing(distributor).path("policy").asText()).isEqualTo("albm-threshold");
            assertThat(routing(distributor)
                            .path("thresholds")
                            .path(0)
                            .path("relieve")
                            .asLong())
                    .isEqualTo(100 * MIB);
            assertThat(answers(distributor, 4)).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void sendsNothingNewToADrainedBackend() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            others.configure("drain/cache-2", "since", "now").join();
            await().until(() -> backend(distributor, "cache-2").path("health").asText(), "draining"::equals);
            assertThat(answers(distributor, 20)).containsExactly("one");

            others.configure("drain/cache-2", "since", null).join();
            await().until(() -> backend(distributor, "cache-2").path("health").asText(), "up"::equals);
        }
    }

    @Test
    void sendsToABackendThatWasPutBackWhileItWasAway() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            join("cache-1", one);
            Registration maintained = join("cache-2", two);
            await().ignoreExceptions()
                    .until(() -> backend(distributor, "cache-2").path("health").asText(), "up"::equals);
            others.configure("drain/cache-2", "since", "now").join();
            await().until(() -> backend(distributor, "cache-2").path("health").asText(), "draining"::equals);
            maintained.close();
            await().until(() -> backends(distributor), Set.of("cache-1")::equals);

            others.configure("drain/cache-2", "since", null).join();
            join("cache-2", two);

            await().ignoreExceptions()
                    .until(() -> backend(distributor, "cache-2").path("health").asText(), "up"::equals);
        }
    }

    @Test
    void findsADeadBackendAndItsReturn() throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            int port = one.address().port();
            one.kill();
            await().until(() -> backend(distributor, "cache-1").path("health").asText(), "down"::equals);
            assertThat(answers(distributor, 20)).containsExactly("two");

            one = new RawBackend(port, RawBackend.text("one again"));
            await().until(() -> backend(distributor, "cache-1").path("health").asText(), "up"::equals);
            assertThat(answers(distributor, 20)).containsExactlyInAnyOrder("one again", "two");
        }
    }

    @Test
    void goesOnWithTheLastViewWhenZooKeeperIsGone() throws Exception {
        others.close();
        try (var ending = EmbeddedZooKeeper.start(temp.resolve("zookeeper"), ANY_PORT)) {
            zooKeeper = ending.address();
            others = connect();
            servesWithoutZooKeeper(ending);
        }
    }

    private void servesWithoutZooKeeper(EmbeddedZooKeeper ending) throws Exception {
        try (var distributor = new RunningDistributor(connect(), temp, Map.of())) {
            bothServe(distributor);
            ending.close();

            await().until(() -> distributor.cluster.connection().get().toString(), state -> !state.equals("CONNECTED"));
            assertThat(answers(distributor, 50)).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void servesBackendsThatAreNoMembers() throws Exception {
        try (var distributor =
                new RunningDistributor(connect(), temp, Map.of("backends", one.address() + ", " + two.address()))) {
            await().until(() -> answers(distributor, 4), Set.of("one", "two")::equals);
        }
    }

    /** Announces both backends and waits until both get requests. */
    private void bothServe(RunningDistributor distributor) throws Exception {
        join("cache-1", one);
        join("cache-2", two);
        await().ignoreExceptions().until(() -> answers(distributor, 4), Set.of("one", "two")::equals);
        await().until(() -> backend(distributor, "cache-1").path("health").asText(), "up"::equals);
        await().until(() -> backend(distributor, "cache-2").path("health").asText(), "up"::equals);
    }

    private Registration join(String id, RawBackend backend) {
        Registration registration = others.join(new Member(
                new NodeId(id),
                Role.CACHE_SERVER,
                Map.of("http", backend.address()),
                Map.of("host", "host-of-" + id),
                "test",
                Instant.EPOCH));
        registration.registered().join();
        return registration;
    }

    private void report(String id, long availableMebibytes) {
        others.publish(new CounterReport(
                new NodeId("host-of-" + id),
                new CounterSample(availableMebibytes * MIB, 0, 0, 0, 0, 0),
                new HostHealth.Serving(),
                ++sequence,
                Instant.EPOCH));
    }

    /** One at a time: of settings that follow each other faster than they are applied, some are never looked at. */
    private void refuses(RunningDistributor distributor, String key, String value) {
        double before = refused(distributor);
        others.configure("distributor", key, value).join();
        await().until(() -> refused(distributor) > before);
    }

    private static double refused(RunningDistributor distributor) {
        return distributor
                .metrics
                .prometheusText()
                .lines()
                .filter(line -> line.startsWith("albm_live_settings_refused_total "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[1]))
                .sum();
    }

    private Set<String> answers(RunningDistributor distributor, int requests) throws Exception {
        var answers = new HashSet<String>();
        for (int i = 0; i < requests; i++) {
            HttpResponse<String> response = get(distributor.http);
            assertThat(response.statusCode()).isEqualTo(200);
            answers.add(response.body());
        }
        return answers;
    }

    private JsonNode backend(RunningDistributor distributor, String id) throws Exception {
        for (JsonNode backend : routing(distributor).path("backends")) {
            if (backend.path("id").asText().equals(id)) {
                return backend;
            }
        }
        throw new AssertionError("no backend " + id);
    }

    private Set<String> backends(RunningDistributor distributor) throws Exception {
        return routing(distributor)
                .path("backends")
                .valueStream()
                .map(backend -> backend.path("id").asText())
                .collect(Collectors.toSet());
    }

    private JsonNode routing(RunningDistributor distributor) throws Exception {
        return Json.tree(get(URI.create("http://" + distributor.admin.address() + "/routing"))
                .body());
    }

    private HttpResponse<String> get(URI uri) throws Exception {
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private ZooKeeperCluster connect() {
        return ZooKeeperCluster.connect(zooKeeper.toString(), cluster);
    }
}
