// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelocationPlanTest {
    private static final StripeGeometry GEOMETRY = new StripeGeometry(4, 1, 64 * 1024);
    private static final int SEGMENTS = 10_000;

    private final Random random = new Random(7);

    @Test
    void movesToANewNodeItsShareAndNoMore() throws StorageException {
        List<RendezvousPlacement.Candidate> before = nodes(8);
        List<RendezvousPlacement.Candidate> after = nodes(9);
        NodeId joined = new NodeId("n-8");
        RelocationPlan plan = RelocationPlan.onto(joined, after, FailureDomain::of);
        int moved = 0;
        for (Segment segment : segments(before)) {
            Optional<Relocation.Move> move = plan.of("/f", segment);
            moved += move.isPresent() ? 1 : 0;
            Segment now = move.map(m -> segment.movedTo(m.from(), m.to())).orElse(segment);
            assertThat(new HashSet<>(now.nodes()))
                    .isEqualTo(new HashSet<>(RendezvousPlacement.choose(segment.generationId(), after, 5)));
            assertThat(plan.of("/f", now)).as("once it is there").isEmpty();
        }
        double share = SEGMENTS * 5 / 9.0;
        assertThat((double) moved).isBetween(0.9 * share, 1.1 * share);
    }

    @Test
    void leavesNodesAloneThatTakeNothing() throws StorageException {
        List<RendezvousPlacement.Candidate> before = nodes(8);
        List<RendezvousPlacement.Candidate> takers = nodes(9).subList(2, 9);
        RelocationPlan plan = RelocationPlan.onto(new NodeId("n-8"), takers, FailureDomain::of);
        for (Segment segment : segments(before)) {
            assertThat(plan.of("/f", segment).stream())
                    .allMatch(move ->
                            takers.stream().anyMatch(taker -> taker.node().equals(move.from())));
        }
    }

    @Test
    void movesAllOfANodeAndNothingElse() throws StorageException {
        List<RendezvousPlacement.Candidate> nodes = nodes(8);
        NodeId leaving = new NodeId("n-3");
        RelocationPlan plan = RelocationPlan.off(leaving, nodes, FailureDomain::of, null);
        for (Segment segment : segments(nodes)) {
            Optional<Relocation.Move> move = plan.of("/f", segment);
            assertThat(move.isPresent()).isEqualTo(segment.liesOn(leaving));
            assertThat(move.stream()).allMatch(m -> m.from().equals(leaving) && !segment.liesOn(m.to()));
        }
    }

    @Test
    void saysWhoseBlocksNobodyCanTake() {
        List<RendezvousPlacement.Candidate> nodes = nodes(5);
        RelocationPlan plan = RelocationPlan.off(new NodeId("n-3"), nodes, FailureDomain::of, null);
        assertThatExceptionOfType(StorageException.NoReplacement.class)
                .isThrownBy(() -> plan.of("/f", segments(nodes).getFirst()))
                .withMessageContainingAll("/f", "n-3");
    }

    private static List<RendezvousPlacement.Candidate> nodes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new NodeId("n-" + i))
                .map(node -> new RendezvousPlacement.Candidate(node, 1.0, FailureDomain.of(node)))
                .toList();
    }

    private List<Segment> segments(List<RendezvousPlacement.Candidate> nodes) {
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < SEGMENTS; i++) {
            Generation generation = Generation.random(random);
            segments.add(
                    new Segment(generation.toString(), 1, GEOMETRY, RendezvousPlacement.choose(generation, nodes, 5)));
        }
        return segments;
    }
}
