// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SegmentPlacementTest {
    private static final StripeGeometry GEOMETRY = new StripeGeometry(3, 1, 65_536);
    private static final NodeId LAST = new NodeId("n-8");

    private final SegmentPlacement eight = over(8);
    private final SegmentPlacement nine = over(9);

    @Test
    void whatAJoinedNodeTakesLeavesTheSegmentWhereItWouldHaveBeenPlaced() {
        segments().forEach(before -> {
            List<NodeId> placedAnew = nine.choose(before.generationId(), GEOMETRY.width());
            Set<NodeId> after = new HashSet<>(before.nodes());
            nine.giver(LAST, before).ifPresent(giver -> {
                after.remove(giver);
                after.add(LAST);
            });
            assertThat(after).isEqualTo(new HashSet<>(placedAnew));
        });
    }

    @Test
    void onlyWhatALeavingNodeHoldsIsTakenByANodeThatHasNoneOfTheSegment() throws StorageException {
        NodeId leaving = new NodeId("n-0");
        SegmentPlacement others = new SegmentPlacement(weights(IntStream.range(1, 9)));
        for (Segment segment : segments().toList()) {
            if (segment.liesOn(leaving)) {
                assertThat(others.taker(leaving, segment))
                        .hasValueSatisfying(taker -> assertThat(taker).isNotIn(segment.nodes()));
            } else {
                assertThat(others.taker(leaving, segment)).isEmpty();
            }
        }
    }

    @Test
    void putsUnitsInAsManyDomainsAsThereAreAndKeepsThemThere() throws StorageException {
        Function<NodeId, FailureDomain> racks = node ->
                new FailureDomain("rack-" + Integer.parseInt(node.value().substring(2)) % 4);
        SegmentPlacement placement = new SegmentPlacement(weights(IntStream.range(0, 8)), racks);
        SegmentPlacement others = new SegmentPlacement(weights(IntStream.range(1, 8)), racks);
        NodeId leaving = new NodeId("n-0");
        for (Segment any : segments().toList()) {
            List<NodeId> chosen = placement.choose(any.generationId(), GEOMETRY.width());
            assertThat(chosen.stream().map(racks)).doesNotHaveDuplicates();
            Segment segment = new Segment(any.generation(), 1, GEOMETRY, chosen);
            assertThat(others
                            .taker(leaving, segment)
                            .map(taker -> segment.movedTo(leaving, taker))
                            .orElse(segment)
                            .nodes()
                            .stream()
                            .map(racks))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aWeightThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SegmentPlacement(Map.of(LAST, 0.0)))
                .withMessageContaining("expected a number above 0");
    }

    private Stream<Segment> segments() {
        Random random = new Random(5);
        return Stream.generate(() -> Generation.random(random))
                .limit(500)
                .map(generation ->
                        new Segment(generation.toString(), 1, GEOMETRY, eight.choose(generation, GEOMETRY.width())));
    }

    private static SegmentPlacement over(int nodes) {
        return new SegmentPlacement(weights(IntStream.range(0, nodes)));
    }

    private static Map<NodeId, Double> weights(IntStream nodes) {
        return nodes.mapToObj(i -> new NodeId("n-" + i)).collect(Collectors.toMap(node -> node, node -> 1.0));
    }
}
