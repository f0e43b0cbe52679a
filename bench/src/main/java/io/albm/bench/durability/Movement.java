// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.node.NodeId;
import io.albm.storage.Segment;
import io.albm.storage.SegmentPlacement;
import io.albm.storage.StorageException;
import io.albm.storage.StripeGeometry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What production moves when one node joins N, and when one of N leaves.
 *
 * @param nodes N
 * @param joined share of all data that moves to the node that joins, 0 to 1
 * @param left share of all data that moves off the node that leaves, 0 to 1
 * @param busiestTaker what the node that takes most of the latter takes, over the mean of all others
 */
record Movement(int nodes, double joined, double left, double busiestTaker) {
    private static final String NAME = "movement/";
    private static final double PERCENT = 100;
    /** Rendezvous hashing draws who gives; so much more than a fair share may come of that. */
    private static final double MOST_MOVED = 1.1;

    /** Moves of segments that lie so; the first node leaves. */
    static Movement of(PlacedSegments placed, int nodes, StripeGeometry geometry) {
        List<NodeId> names = PlacedSegments.names(nodes + 1);
        NodeId joining = names.getLast();
        NodeId leaving = names.getFirst();
        SegmentPlacement withJoined = PlacedSegments.over(names);
        SegmentPlacement withoutLeft = PlacedSegments.over(names.subList(1, nodes));
        double parts = (double) placed.count() * geometry.width();
        long given = segments(placed, names, geometry)
                .filter(segment -> withJoined.giver(joining, segment).isPresent())
                .count();
        Map<NodeId, Long> taken = segments(placed, names, geometry)
                .flatMap(segment -> taker(withoutLeft, leaving, segment).stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long left = taken.values().stream().mapToLong(Long::longValue).sum();
        long most = taken.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return new Movement(nodes, given / parts, left / parts, most * (nodes - 1.0) / Math.max(1, left));
    }

    List<Result> results() {
        return List.of(
                Result.of(NAME + "joins", PERCENT * joined, PERCENT * fairlyJoined(), "1/(N+1)", "% of the data", 1),
                Result.of(NAME + "leaves", PERCENT * left, PERCENT * fairlyLeft(), "1/N", "% of the data", 1),
                Result.of(NAME + "busiest taker", busiestTaker, 1, "the mean", "of takers", 1));
    }

    List<Target> targets() {
        return List.of(
                Target.atMost("moved to a node that joins, over 1/(N+1)", joined / fairlyJoined(), MOST_MOVED),
                Target.atMost("moved off a node that leaves, over 1/N", left / fairlyLeft(), MOST_MOVED));
    }

    /** Whether a result is about movement. */
    static boolean isOne(Result result) {
        return result.name().startsWith(NAME);
    }

    private double fairlyJoined() {
        return 1.0 / (nodes + 1);
    }

    private double fairlyLeft() {
        return 1.0 / nodes;
    }

    private static Stream<Segment> segments(PlacedSegments placed, List<NodeId> names, StripeGeometry geometry) {
        return IntStream.range(0, placed.count())
                .parallel()
                .mapToObj(segment -> new Segment(
                        placed.generation(segment).toString(),
                        geometry.stripeBytes(),
                        geometry,
                        IntStream.of(placed.nodes()[segment])
                                .limit(geometry.width())
                                .mapToObj(names::get)
                                .toList()));
    }

    private static Optional<NodeId> taker(SegmentPlacement others, NodeId leaving, Segment segment) {
        try {
            return others.taker(leaving, segment);
        } catch (StorageException e) {
            throw new IllegalStateException("fewer nodes than a segment needs", e);
        }
    }
}
