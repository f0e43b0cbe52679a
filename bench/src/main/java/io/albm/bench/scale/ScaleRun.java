// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.bench.report.Median;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.Politeness;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Checkpoints of one size of job: whole chains of them, since a later one of a chain refers to the packs of those before.
 *
 * @param chains each of as many checkpoints as a chain has
 * @param largestTransactionBytes that went to the coordination store
 */
record ScaleRun(int nodes, List<List<CheckpointCost>> chains, int largestTransactionBytes) {
    /** Checkpoints that share pages; their numbers begin at a multiple of it. */
    static final int CHAIN = 8;

    private static final long STATE_BYTES = 1 << 30;

    /** Warms up with the first chain, whose number 0 nobody has. */
    static ScaleRun of(int nodes, int chains) {
        SimulatedCluster cluster = new SimulatedCluster(
                new Job(nodes, STATE_BYTES, CheckpointStrategies.DEFAULT, 1, Politeness.POLITE, Links.gigabit(nodes)));
        IntStream.range(1, CHAIN).forEach(_ -> cluster.checkpoint());
        List<List<CheckpointCost>> measured = new ArrayList<>();
        for (int chain = 0; chain < chains; chain++) {
            List<CheckpointCost> costs = new ArrayList<>();
            for (int i = 0; i < CHAIN; i++) {
                costs.add(cluster.checkpoint());
            }
            measured.add(costs);
        }
        return new ScaleRun(nodes, measured, cluster.largestTransactionBytes());
    }

    /** Mean over a chain, the median of the chains, for each node. */
    double perNode(ToDoubleFunction<CheckpointCost> figure) {
        return Median.of(chains.stream()
                        .map(chain ->
                                chain.stream().mapToDouble(figure).average().orElseThrow())
                        .toList())
                / nodes;
    }

    double microsPerNode() {
        return perNode(CheckpointCost::cpuNanos) / 1000;
    }

    double seconds() {
        return perNode(cost -> cost.entry().millis() / 1000.0) * nodes;
    }
}
