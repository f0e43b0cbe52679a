// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.RendezvousPlacement.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What moves over failure domains of different sizes and weights, of segments that lie where they belong and anywhere. */
class RelocationOverDomainsTest {
    private static final int CLUSTERS = 500;
    private static final int SEGMENTS = 20;
    private static final int MANY_SEGMENTS = 20_000;

    private final Random random = new Random(13);

    @Test
    void aNodeThatJoinsTakesWhatIsPlacedOnItAndNothingElseMoves() throws StorageException {
        for (int i = 0; i < CLUSTERS; i++) {
            int parityUnits = 1 + random.nextInt(2);
            List<Candidate> before = Domains.random(random, parityUnits + 1);
            Candidate joined = Domains.node(before.size(), random.nextInt(7), 1 + random.nextInt(3));
            List<Candidate> after = with(before, joined);
            RelocationPlan plan = RelocationPlan.onto(joined.node(), after, Domains.of(after));
            for (Segment segment : segments(before, parityUnits, SEGMENTS)) {
                Optional<Relocation.Move> move = plan.of("/f", segment);
                assertThat(move.stream()).allMatch(to -> to.to().equals(joined.node()));
                Segment now = move.map(moved -> moved.of(segment)).orElse(segment);
                assertThat(nodes(now))
                        .as("%s of %s", now, after)
                        .isEqualTo(new HashSet<>(RendezvousPlacement.choose(
                                segment.generationId(), after, segment.nodes().size())));
                assertThat(plan.of("/f", now)).as("once it is there").isEmpty();
            }
        }
    }

    @Test
    void whatANodeGivesThatLeavesGoesWhereItIsPlacedThen() throws StorageException {
        for (int i = 0; i < CLUSTERS; i++) {
            int parityUnits = 1 + random.nextInt(2);
            List<Candidate> before = Domains.random(random, parityUnits + 2);
            NodeId leaving = any(before).node();
            List<Candidate> after = without(before, leaving);
            RelocationPlan plan = RelocationPlan.off(leaving, after, Domains.of(before), null);
            for (Segment segment : segments(before, parityUnits, SEGMENTS)) {
                if (segment.liesOn(leaving) && segment.nodes().size() <= after.size()) {
                    Relocation.Move move = plan.of("/f", segment).orElseThrow();
                    assertThat(move.from()).isEqualTo(leaving);
                    assertThat(nodes(move.of(segment)))
                            .as("%s of %s", segment, before)
                            .isEqualTo(new HashSet<>(RendezvousPlacement.choose(
                                    segment.generationId(),
                                    after,
                                    segment.nodes().size())));
                }
            }
        }
    }

    /** Twelve domains of the same weight, of one node, of two, ... of four nodes with different weights. */
    @Test
    void movesTheSharesOfTheNodesThatComeAndGo() throws StorageException {
        List<Candidate> before = new ArrayList<>();
        for (int domain = 0; domain < 12; domain++) {
            double[][] weights = {{12}, {8, 4}, {6, 3, 3}, {1, 2, 4, 5}};
            for (double weight : weights[domain % 4]) {
                before.add(Domains.node(before.size(), domain, weight));
            }
        }
        List<Segment> segments = segments(before, 1, MANY_SEGMENTS);
        Candidate joined = Domains.node(before.size(), 12, 12);
        RelocationPlan onto =
                RelocationPlan.onto(joined.node(), with(before, joined), Domains.of(with(before, joined)));
        assertThat(moved(onto, segments)).isBetween(0.9 * 5 / 13, 1.1 * 5 / 13);
        for (Candidate leaving : before) {
            RelocationPlan off =
                    RelocationPlan.off(leaving.node(), without(before, leaving.node()), Domains.of(before), null);
            double share = 5.0 / 12 * leaving.weight() / 12;
            assertThat(moved(off, segments)).as(leaving.toString()).isBetween(0.9 * share, 1.1 * share);
        }
    }

    private static double moved(RelocationPlan plan, List<Segment> segments) throws StorageException {
        int moved = 0;
        for (Segment segment : segments) {
            moved += plan.of("/f", segment).isPresent() ? 1 : 0;
        }
        return (double) moved / segments.size();
    }

    @Test
    void aNodeThatJoinsNeverCrowdsADomainWhereverASegmentLies() throws StorageException {
        for (Scattered scattered : scattered()) {
            List<NodeId> others = scattered.takers().stream()
                    .map(Candidate::node)
                    .filter(node -> !scattered.segment().liesOn(node))
                    .toList();
            for (NodeId joined : others) {
                RelocationPlan plan = RelocationPlan.onto(joined, scattered.takers(), scattered.domains());
                assertThat(plan.of("/f", scattered.segment()).stream())
                        .allMatch(move ->
                                scattered.crowd(move.of(scattered.segment())) <= scattered.crowd(scattered.segment())
                                        && scattered.takes(move.from()));
            }
        }
    }

    @Test
    void aNodeThatLeavesCrowdsADomainOnlyIfItMust() throws StorageException {
        for (Scattered scattered : scattered()) {
            Segment segment = scattered.segment();
            NodeId leaving = segment.nodes().get(random.nextInt(segment.nodes().size()));
            List<Candidate> takers = without(scattered.takers(), leaving);
            int least = takers.stream()
                    .filter(taker -> !segment.liesOn(taker.node()))
                    .mapToInt(taker -> scattered.crowd(segment.movedTo(leaving, taker.node())))
                    .min()
                    .orElse(-1);
            RelocationPlan plan = RelocationPlan.off(leaving, takers, scattered.domains(), null);
            if (least < 0) {
                assertThatExceptionOfType(StorageException.NoReplacement.class)
                        .isThrownBy(() -> plan.of("/f", segment));
            } else {
                assertThat(scattered.crowd(plan.of("/f", segment).orElseThrow().of(segment)))
                        .isEqualTo(least);
            }
        }
    }

    @Test
    void takesACrowdedSegmentApartAsFarAsThatHelpsAndMovesNoUnitMore() {
        for (Scattered scattered : scattered()) {
            RelocationPlan plan = RelocationPlan.apart(scattered.takers(), scattered.domains());
            Segment now = scattered.segment();
            int crowd = scattered.crowd(now);
            try {
                for (Optional<Relocation.Move> move = plan.of("/f", now); move.isPresent(); move = plan.of("/f", now)) {
                    now = move.orElseThrow().of(now);
                    assertThat(scattered.takes(move.orElseThrow().to())).isTrue();
                    assertThat(scattered.crowd(now)).as("%s", now).isEqualTo(--crowd);
                }
                assertThat(crowd).as("%s", now).isZero();
            } catch (StorageException stays) {
                assertThat(stays).isInstanceOf(StorageException.CannotSpread.class);
                assertThat(scattered.leastCrowdAfterAMoveOf(now))
                        .as("%s of %s", now, scattered.takers())
                        .isGreaterThanOrEqualTo(crowd);
            }
        }
    }

    @Test
    void countsFilesThatAMoveWouldCrowd() {
        List<Candidate> nodes = Domains.sized(List.of(2, 1, 1));
        Function<NodeId, FailureDomain> domains = Domains.of(nodes);
        FileInfo apart = file("/apart", segment(2, 1, nodes.subList(1, 4)));
        FileInfo beside = file("/beside", segment(1, 1, nodes.subList(2, 4)));
        FileInfo crowded = file("/crowded", segment(1, 1, nodes.subList(0, 2)));
        List<FileInfo> files = List.of(apart, beside, crowded);
        NodeId leaving = nodes.get(2).node();
        assertThat(RelocationPlan.off(leaving, without(nodes, leaving), domains, null)
                        .crowds(files, domains))
                .isEqualTo(1);
        NodeId sameDomain = nodes.get(1).node();
        assertThat(RelocationPlan.off(sameDomain, without(nodes, sameDomain), domains, null)
                        .crowds(files, domains))
                .isZero();
    }

    private static FileInfo file(String path, Segment segment) {
        return new FileInfo(path, 1, Content.of(segment, 0), Instant.EPOCH);
    }

    /** A segment over any nodes of a cluster, some of which take no blocks, and some of those are not there. */
    private record Scattered(Segment segment, List<Candidate> takers, Function<NodeId, FailureDomain> domains) {
        int crowd(Segment of) {
            return DomainSpread.crowd(of, domains);
        }

        int leastCrowdAfterAMoveOf(Segment segment) {
            return takers.stream()
                    .map(Candidate::node)
                    .filter(taker -> !segment.liesOn(taker))
                    .flatMap(taker -> segment.nodes().stream().map(holder -> segment.movedTo(holder, taker)))
                    .mapToInt(this::crowd)
                    .min()
                    .orElse(Integer.MAX_VALUE);
        }

        boolean takes(NodeId node) {
            return takers.stream().anyMatch(taker -> taker.node().equals(node));
        }
    }

    private List<Scattered> scattered() {
        return IntStream.range(0, CLUSTERS)
                .mapToObj(i -> {
                    int parityUnits = 1 + random.nextInt(2);
                    List<Candidate> nodes = new ArrayList<>(Domains.random(random, parityUnits + 2));
                    Collections.shuffle(nodes, random);
                    int width = Math.min(nodes.size(), parityUnits + 1 + random.nextInt(4));
                    Segment segment = segment(width - parityUnits, parityUnits, nodes.subList(0, width));
                    Collections.shuffle(nodes, random);
                    List<Candidate> takers = nodes.subList(0, nodes.size() - random.nextInt(nodes.size()));
                    List<Candidate> there = nodes.subList(0, Math.min(nodes.size(), takers.size() + 1));
                    return new Scattered(segment, List.copyOf(takers), Domains.of(there));
                })
                .toList();
    }

    private List<Segment> segments(List<Candidate> nodes, int parityUnits, int count) throws StorageException {
        StripeGeometry geometry = StripeSettings.DEFAULT.geometry(nodes, parityUnits);
        return Stream.generate(() -> Generation.random(random))
                .limit(count)
                .map(generation -> new Segment(
                        generation.toString(),
                        1,
                        geometry,
                        RendezvousPlacement.choose(generation, nodes, geometry.width())))
                .toList();
    }

    private Segment segment(int dataUnits, int parityUnits, List<Candidate> nodes) {
        return new Segment(
                Generation.random(random).toString(),
                1,
                new StripeGeometry(dataUnits, parityUnits, 65_536),
                nodes.stream().map(Candidate::node).toList());
    }

    private static Set<NodeId> nodes(Segment segment) {
        return new HashSet<>(segment.nodes());
    }

    private Candidate any(List<Candidate> nodes) {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private static List<Candidate> with(List<Candidate> nodes, Candidate more) {
        return Stream.concat(nodes.stream(), Stream.of(more)).toList();
    }

    private static List<Candidate> without(List<Candidate> nodes, NodeId less) {
        return nodes.stream().filter(node -> !node.node().equals(less)).toList();
    }
}
