// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.Politeness;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent and written grows with the nodes, and not with nodes times ticks. Nothing is timed. */
class ScaleRunTest {
    private static final int FEW = 200;
    private static final int MANY = 2000;

    @Test
    void messagesRecordsAndRequestsOfANodeAreTheSameInALargeJob() {
        ScaleRun few = ScaleRun.of(FEW, 1);
        ScaleRun many = ScaleRun.of(MANY, 1);
        assertThat(many.perNode(CheckpointCost::answerBytes))
                .isPositive()
                .isLessThan(1.1 * few.perNode(CheckpointCost::answerBytes));
        assertThat(many.perNode(CheckpointCost::commandBytes)).isLessThan(few.perNode(CheckpointCost::commandBytes));
        assertThat(many.perNode(CheckpointCost::recordBytes)).isLessThan(few.perNode(CheckpointCost::recordBytes));
        assertThat(many.perNode(CheckpointCost::fileRequests)).isLessThan(few.perNode(CheckpointCost::fileRequests));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "staggered", "striped", "multistriped", "credit-window"})
    void everySchemeNamesARankOnce(String scheme) {
        CheckpointCost cost = checkpoint(FEW, scheme, 4);
        long perRank = 16;
        long perTick = 150;
        assertThat(cost.commandBytes()).isPositive().isLessThan(FEW * perRank + (cost.ticks() + FEW + 4L) * perTick);
    }

    @Test
    void aGroupOfFourLeavesThreeQuartersOfSixteenPortsIdle() {
        ToLongFunction<CheckpointCost> drain = cost -> cost.entry().times().drainMillis();
        long four = drain.applyAsLong(checkpoint(64, "striped", 4));
        long sixteen = drain.applyAsLong(checkpoint(64, "striped", 16));
        assertThat(four).isBetween(3 * sixteen, 5 * sixteen);
    }

    private static CheckpointCost checkpoint(int ranks, String scheme, int groupSize) {
        assertThat(CheckpointStrategies.names()).contains(scheme);
        Links links = Links.ofThePaper(16, 0);
        return new SimulatedCluster(new Job(ranks, 20_000_000, scheme, groupSize, Politeness.POLITE, links))
                .checkpoint();
    }
}
