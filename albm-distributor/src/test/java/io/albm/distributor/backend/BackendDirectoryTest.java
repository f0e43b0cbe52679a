// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackendDirectoryTest {
    private static final NodeId HOST = new NodeId("host-1");
    private static final BackendSettings SETTINGS = new BackendSettings(
            "/",
            Duration.ofDays(1),
            Duration.ofSeconds(1),
            1,
            1,
            3,
            1_000,
            Duration.ofMinutes(1),
            new ProtectionSettings(
                    5,
                    0.3,
                    20,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    0.3,
                    0,
                    Duration.ZERO));

    private final ScheduledExecutorService control = Executors.newSingleThreadScheduledExecutor();
    private final RandomGenerator random = new SplittableRandom(1);
    private final List<Backend> retired = new ArrayList<>();
    private final BackendDirectory directory = new BackendDirectory(
            "main",
            control,
            MonotonicClock.system(),
            SETTINGS,
            "weighted-round-robin",
            ReliefSettings.DEFAULT,
            retired::add);

    @AfterEach
    void stop() {
        control.shutdownNow();
    }

    @Test
    void spreadsByWeights() throws Exception {
        expect(Map.of("a", spec(1, 3), "b", spec(2, 1)));

        assertThat(picks(directory, 4_000).get("a")).isBetween(2_800, 3_200);
    }

    @Test
    void sendsNothingToABackendOfWeightZeroUnderAnyPolicy() throws Exception {
        expect(Map.of("a", spec(1, 0), "b", spec(2, 1)));
        directory.routeBy("round-robin", Set.of("hash", "albm")).join();

        assertThat(picks(directory, 100)).containsOnlyKeys("b");
        assertThat(picks(directory.by("hash"), 100)).containsOnlyKeys("b");
        assertThat(picks(directory.by("albm"), 100)).containsOnlyKeys("b");
        assertThat(directory.status().backends().getFirst().reason()).isEqualTo("its weight is 0");
    }

    @Test
    void changesAWeightWithoutLosingTheBackend() throws Exception {
        expect(Map.of("a", spec(1, 0), "b", spec(2, 1)));
        List<Backend> before = directory.backends();
        expect(Map.of("a", spec(1, 1), "b", spec(2, 1)));

        assertThat(directory.backends()).isEqualTo(before);
        assertThat(retired).isEmpty();
        assertThat(picks(directory, 100)).containsOnlyKeys("a", "b");
    }

    @Test
    void spreadsByTwoPoliciesAtOnceOverTheSameBackends() throws Exception {
        expect(Map.of("a", spec(1, 1), "b", spec(2, 1)));
        directory.routeBy("round-robin", Set.of("least-connections", "hash")).join();
        BackendChooser least = directory.by("least-connections");

        assertThat(picks(directory, 100)).isEqualTo(Map.of("a", 50, "b", 50));
        assertThat(picks(directory.by("hash"), 100)).hasSize(1);
        Backend first = Objects.requireNonNull(directory.choose(Request.PLAIN, random));
        long ticket = first.begin(Request.PLAIN);
        assertThat(picks(least, 100)).doesNotContainKey(first.id());
        first.end(ticket, Outcome.ANSWERED, 1, 1);
        assertThat(picks(least, 100)).hasSize(2);
    }

    @Test
    void whoHoldsAPolicyThatNobodyUsesAnyMoreGetsThePools() throws Exception {
        expect(Map.of("a", spec(1, 1)));
        directory.routeBy("round-robin", Set.of("hash")).join();
        BackendChooser hash = directory.by("hash");
        directory.routeBy("round-robin", Set.of()).join();
        expect(Map.of("b", spec(2, 1)));

        assertThat(picks(hash, 10)).containsOnlyKeys("b");
    }

    @Test
    void takesInTheLastOfABurstOfReports() throws Exception {
        directory.expect(Map.of("a", new BackendSpec(new NodeAddress("127.0.0.1", 1), HOST)));
        IntStream.rangeClosed(1, 1_000).forEach(sequence -> directory.report(Map.of(HOST, report(sequence))));

        await().until(
                        () -> directory.status().backends().getFirst().counters(),
                        report(1_000).sample()::equals);
    }

    private static CounterReport report(long sequence) {
        return new CounterReport(
                HOST,
                new CounterSample(sequence << 30, 0, 0, 0, 0, 0),
                new HostHealth.Serving(),
                sequence,
                Instant.EPOCH);
    }

    private void expect(Map<String, BackendSpec> specs) throws Exception {
        directory.expect(specs);
        settle();
    }

    private void settle() throws Exception {
        control.submit(() -> {}).get();
    }

    private Map<String, Integer> picks(BackendChooser chooser, int count) {
        Map<String, Integer> picks = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Backend picked = Objects.requireNonNull(chooser.choose(Request.PLAIN, random));
            picks.merge(picked.id(), 1, Integer::sum);
        }
        return picks;
    }

    private static BackendSpec spec(int port, int weight) {
        return new BackendSpec(new NodeAddress("127.0.0.1", port), null, weight);
    }
}
