// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.coordinator.StoragePacer.Demand;
import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.checkpoint.strategy.Politeness;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.node.NodeId;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoragePacerTest {
    private static final NodeId ONE = new NodeId("n-1");
    private static final NodeId TWO = new NodeId("n-2");
    private static final long MEGABYTE = 1_000_000;
    private static final long PORT = 1000 * MEGABYTE;

    private final PlayedPorts ports = new PlayedPorts();
    private final StoragePacer pacer =
            new StoragePacer(new PaceSettings(PORT, PORT, 0.9, Politeness.POLITE), ports, Runnable::run, 0);
    private Map<String, TcpSegments> sent = Map.of();

    @Test
    void setsAndProbesNothingWhileNoCheckpointIsInFlight() {
        turn(Demand.NONE, 0, 250, 500);
        assertThat(ports.rates).isEmpty();
        assertThat(ports.probes).isEmpty();
    }

    @Test
    void onlyLooksForSchemesThatSetNoRates() {
        turn(Demand.WATCH, 0, 250);
        assertThat(ports.rates).isEmpty();
        assertThat(ports.probes).containsOnlyKeys(ONE, TWO);
        assertThat(pacer.network(Bandwidth.UNCHANGED).grantedBytesPerSecond()).isZero();
    }

    @Test
    void setsEveryRateWhenACheckpointBeginsAndRenewsItBeforeItIsOver() {
        turn(Demand.PACE, 0);
        assertThat(ports.rates).containsExactly("n-1 900", "n-2 900");
        answerProbes(Duration.ofNanos(200_000));
        for (long millis = 50; millis <= 950; millis += 50) {
            turn(Demand.PACE, millis);
            answerProbes(Duration.ofNanos(200_000));
        }
        assertThat(ports.rates).as("they last longer than a second").hasSize(2);
        turn(Demand.PACE, 1000);
        assertThat(ports.rates).hasSize(4);
        assertThat(StoragePacer.LASTS).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void takesTheRatesBackWhenNoCheckpointThatSetsThemIsInFlightAnyMore() {
        turn(Demand.PACE, 0);
        ports.rates.clear();
        turn(Demand.WATCH, 50);
        assertThat(ports.rates).containsExactly("n-1 0", "n-2 0");
        ports.rates.clear();
        turn(Demand.NONE, 100, 350, 600);
        assertThat(ports.rates).isEmpty();
    }

    @Test
    void slowsDownTheOneNodeWithAQueueAndKeepsThatForTheNextCheckpoint() {
        turn(Demand.PACE, 0);
        answerProbes(Duration.ofNanos(200_000));
        turn(Demand.PACE, 250);
        answerProbe(ONE, Duration.ofMillis(5));
        answerProbe(TWO, Duration.ofNanos(300_000));
        ports.rates.clear();
        turn(Demand.PACE, 500);
        assertThat(ports.rates).containsExactly("n-1 720");
        assertThat(pacer.network(Bandwidth.UNCHANGED).totalBytesPerSecond()).isEqualTo((720 + 900) * MEGABYTE);
        assertThat(pacer.network(Bandwidth.UNCHANGED).slowestBytesPerSecond()).isEqualTo(720 * MEGABYTE);
        turn(Demand.NONE, 550, 60_000);
        assertThat(pacer.network(Bandwidth.UNCHANGED).totalBytesPerSecond())
                .as("warm")
                .isEqualTo((720 + 900) * MEGABYTE);
    }

    @Test
    void aProcessorThatWasBusyForOneProbeIsNoQueue() {
        turn(Demand.PACE, 0);
        for (long millis = 50; millis <= 500; millis += 50) {
            answerProbes(Duration.ofNanos(millis % 250 == 100 ? 300_000 : 40_000_000));
            turn(Demand.PACE, millis);
        }
        assertThat(ports.rates).containsExactly("n-1 900", "n-2 900");
        assertThat(ports.probed).isEqualTo(22);
    }

    @Test
    void aProbeThatHasNotComeBackHasTakenThatLongAndIsNotJoinedByAnother() {
        turn(Demand.PACE, 0);
        answerProbes(Duration.ofNanos(200_000));
        turn(Demand.PACE, 250);
        ports.rates.clear();
        turn(Demand.PACE, 500);
        assertThat(ports.rates).containsExactly("n-1 720", "n-2 720");
        assertThat(ports.probed).isEqualTo(4);
        assertThat(pacer.network(Bandwidth.UNCHANGED).queueMicros()).isEqualTo(249_800);
    }

    @Test
    void segmentsThatAJobsHostSendsAgainSlowAllNodesDown() {
        sent = Map.of("heat", new TcpSegments(1000, 0));
        turn(Demand.PACE, 0);
        answerProbes(Duration.ofNanos(200_000));
        sent = Map.of("heat", new TcpSegments(1950, 50), "new", new TcpSegments(9, 9));
        ports.rates.clear();
        turn(Demand.PACE, 250);
        assertThat(ports.rates).containsExactly("n-1 720", "n-2 720");
        assertThat(pacer.network(Bandwidth.UNCHANGED).retransmitShare()).isEqualTo(0.05);
    }

    @Test
    void whatCouldNotBeSetIsSetAgainAtTheNextTurn() {
        ports.unreachable.add(TWO);
        turn(Demand.PACE, 0);
        answerProbes(Duration.ofNanos(200_000));
        ports.rates.clear();
        ports.unreachable.clear();
        turn(Demand.PACE, 250);
        assertThat(ports.rates).containsExactly("n-2 900");
    }

    @Test
    void aNodeThatComesIsPacedAndOneThatLeavesIsForgotten() {
        ports.nodes.remove(TWO);
        turn(Demand.PACE, 0);
        ports.nodes.add(TWO);
        ports.nodes.remove(ONE);
        ports.rates.clear();
        turn(Demand.PACE, 250);
        assertThat(ports.rates).containsExactly("n-2 900");
        assertThat(pacer.network(Bandwidth.UNCHANGED).ports())
                .extracting(port -> port.node())
                .containsExactly("n-2");
    }

    private void turn(Demand demand, long... atMillis) {
        for (long millis : atMillis) {
            pacer.turn(demand, sent, 7, Duration.ofMillis(millis).toNanos());
        }
    }

    private void answerProbes(Duration roundTrip) {
        List.copyOf(ports.probes.keySet()).forEach(node -> answerProbe(node, roundTrip));
    }

    private void answerProbe(NodeId node, Duration roundTrip) {
        Objects.requireNonNull(ports.probes.remove(node)).complete(roundTrip.toNanos());
    }

    private static final class PlayedPorts implements StoragePorts {
        private final Set<NodeId> nodes = new TreeSet<>(Set.of(ONE, TWO));
        private final Set<NodeId> unreachable = new TreeSet<>();
        private final Map<NodeId, CompletableFuture<Long>> probes = new HashMap<>();
        /** In megabytes per second. */
        private final List<String> rates = new ArrayList<>();

        private int probed;

        @Override
        public Set<NodeId> nodes() {
            return Set.copyOf(nodes);
        }

        @Override
        public CompletableFuture<Long> probe(NodeId node) {
            probed++;
            CompletableFuture<Long> probe = new CompletableFuture<>();
            probes.put(node, probe);
            return probe;
        }

        @Override
        public CompletableFuture<Void> pace(NodeId node, WriteRate rate, long epoch) {
            rates.add(node + " " + rate.bytesPerSecond() / MEGABYTE);
            assertThat(epoch).isEqualTo(7);
            return unreachable.contains(node)
                    ? CompletableFuture.failedFuture(new IllegalStateException("cut off"))
                    : CompletableFuture.completedFuture(null);
        }
    }
}
