// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HostWatchTest {
    private static final long STEP = 250_000_000;
    private static final Thresholds MEMORY = Thresholds.OF_PAPER;

    private final HostWatch watch = new HostWatch();
    private boolean mayLeave = true;
    private long nowNanos;

    @Test
    void theShareFallsEvenlyFromFarAwayToTheFirstLevel() {
        assertThat(Headroom.share(MEMORY, memory(400))).isEqualTo(1);
        assertThat(Headroom.share(MEMORY, memory(260))).isEqualTo(1);
        assertThat(Headroom.share(MEMORY, memory(180))).isCloseTo(0.5, within(1e-9));
        assertThat(Headroom.share(MEMORY, memory(100))).isZero();
        assertThat(Headroom.share(MEMORY, memory(5))).isZero();
    }

    @Test
    void theLeastShareOfAllCountersCounts() {
        Thresholds both = MEMORY.with(new Threshold(Counter.CPU_BUSY, 0.9, 0.8));
        assertThat(Headroom.share(both, memory(400).with(Counter.CPU_BUSY, 0.65)))
                .isCloseTo(0.5, within(1e-9));
        assertThat(Headroom.share(both, memory(100).with(Counter.CPU_BUSY, 0.1)))
                .isZero();
    }

    @Test
    void aCounterThatTheHostDoesNotHaveTakesNothingAway() {
        Thresholds pressure = Thresholds.of(new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1));
        assertThat(Headroom.share(pressure, memory(1))).isEqualTo(1);
        assertThat(Headroom.share(Thresholds.of(), memory(1))).isEqualTo(1);
    }

    @Test
    void isRelievedAfterSamplesInARow() {
        assertThat(observe(3, 50)).isEqualTo(new HostState.Ready(0));
        assertThat(observe(1, 400)).isEqualTo(new HostState.Ready(1));
        assertThat(observe(3, 50)).isEqualTo(new HostState.Ready(0));
        assertThat(observe(1, 50)).isEqualTo(new HostState.Relieved(Counter.AVAILABLE_MEMORY, 50 << 20));
    }

    @Test
    void comesBackAfterSamplesInARowAndTheMinimumTimeOut() {
        observe(4, 50);
        assertThat(observe(20, 120)).isInstanceOf(HostState.Relieved.class);
        assertThat(observe(3, 400)).isInstanceOf(HostState.Relieved.class);
        assertThat(observe(1, 400)).isEqualTo(new HostState.Ready(1));

        observe(4, 50);
        assertThat(observe(7, 400)).isInstanceOf(HostState.Relieved.class);
        assertThat(observe(1, 400)).isEqualTo(new HostState.Ready(1));
    }

    @Test
    void staysInWithTheLeastShareWhileTooFewOthersServe() {
        mayLeave = false;
        assertThat(observe(20, 50)).isEqualTo(new HostState.Ready(0));
        mayLeave = true;
        assertThat(observe(1, 50)).isInstanceOf(HostState.Relieved.class);
        mayLeave = false;
        assertThat(observe(1, 50)).isEqualTo(new HostState.Ready(0));
    }

    @Test
    void atMostHalfOfTheHostsMayLeaveTheShortestFirst() {
        Map<NodeId, CounterReport> reports = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            NodeId node = new NodeId("host-" + i);
            reports.put(node, new CounterReport(node, memory(10 + i), new HostHealth.Serving(), 0, Instant.EPOCH));
        }
        assertThat(reports.keySet().stream().filter(node -> OthersLeft.mayLeave(node, reports, MEMORY)))
                .containsExactlyInAnyOrder(new NodeId("host-0"), new NodeId("host-1"));
    }

    @Test
    void theOnlyHostMayNotLeave() {
        NodeId self = new NodeId("host-0");
        CounterReport report = new CounterReport(self, memory(1), new HostHealth.Serving(), 0, Instant.EPOCH);
        assertThat(OthersLeft.mayLeave(self, Map.of(self, report), MEMORY)).isFalse();
        assertThat(OthersLeft.mayLeave(self, Map.of(), MEMORY)).isFalse();
    }

    @Test
    void aLineSaysTheWholeStateEveryTime() {
        assertThat(AgentCheckLine.of(new HostState.Ready(0.37), 0)).isEqualTo("up ready 37%\n");
        assertThat(AgentCheckLine.of(new HostState.Ready(0.37), 33)).isEqualTo("up ready 37% maxconn:12\n");
        assertThat(AgentCheckLine.of(new HostState.Ready(0), 33)).isEqualTo("up ready 1% maxconn:1\n");
        assertThat(AgentCheckLine.of(new HostState.Draining(), 33)).isEqualTo("up drain\n");
        assertThat(AgentCheckLine.of(new HostState.Relieved(Counter.AVAILABLE_MEMORY, 96 << 20), 33))
                .isEqualTo("down #available-memory 96.0 MiB\n");
    }

    private HostState observe(int samples, long mebibytes) {
        HostState state = new HostState.Ready(1);
        for (int i = 0; i < samples; i++) {
            state = watch.step(nowNanos += STEP, memory(mebibytes), MEMORY, () -> mayLeave);
        }
        return state;
    }

    private static CounterSample memory(long mebibytes) {
        return new CounterSample(mebibytes << 20, 0, 0, 0, 0, 0);
    }
}
