// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.DrainPlan;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.PortState;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A drain in hand, for its {@link DrainRecord}. Not thread-safe. */
final class DrainHistory {
    private final String strategy;
    private final long epoch;
    private final Inflight inflight;
    private final DrainPlan plan;
    private final Network atBegin;
    private final DrainLog log;

    DrainHistory(String strategy, long epoch, Inflight inflight, DrainPlan plan, Network network, long now) {
        this.strategy = strategy;
        this.epoch = epoch;
        this.inflight = inflight;
        this.plan = plan;
        this.atBegin = network;
        this.log = new DrainLog(now);
    }

    long number() {
        return inflight.number();
    }

    void sample(int writers, long storedBytes, Network network, long now) {
        log.sample(writers, storedBytes, network, now);
    }

    /** @param failure why the checkpoint was aborted; empty if it was not */
    DrainRecord record(String failure, Map<String, Long> phaseMillis, CheckpointRatio time, Network network, long now) {
        return new DrainRecord(
                inflight.number(),
                failure,
                inflight.step(),
                epoch,
                strategy,
                plan.why(),
                plan.groupSize(),
                inflight.votes().values().stream().mapToLong(LocalCopy::size).sum(),
                atBegin.bandwidth().atStart(),
                atBegin.bandwidth().now(),
                phaseMillis,
                time.ratioCheckpoint(now),
                time.ratioInFlight(now),
                log.samples(),
                longestQueues(network));
    }

    private static List<PortState> longestQueues(Network network) {
        return network.ports().stream()
                .sorted(Comparator.comparingLong(PortState::queueMicros)
                        .reversed()
                        .thenComparing(PortState::node))
                .limit(DrainRecord.MOST_PORTS)
                .toList();
    }
}
