// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.core.node.NodeId;
import io.albm.storage.Generation;
import io.albm.storage.SegmentPlacement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which nodes production gives each of many segments, for the widest layout; a narrower one has the first of them, as
 * {@link SegmentPlacement#choose} promises, so that all layouts are compared over the same draws. Immutable.
 */
final class PlacedSegments {
    private final List<Generation> generations;
    /** By segment, node numbers in the order of the choice. */
    private final int[][] nodes;

    private PlacedSegments(List<Generation> generations, int[][] nodes) {
        this.generations = generations;
        this.nodes = nodes;
    }

    /** Places so many segments on nodes of equal weight. */
    static PlacedSegments place(int nodes, int segments, int width, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Generation> generations = IntStream.range(0, segments)
                .mapToObj(segment -> Generation.random(random))
                .toList();
        List<NodeId> names = names(nodes);
        Map<NodeId, Integer> numbers = new HashMap<>();
        names.forEach(name -> numbers.put(name, numbers.size()));
        SegmentPlacement placement = over(names);
        return new PlacedSegments(
                generations,
                generations.parallelStream()
                        .map(generation -> placement.choose(generation, width).stream()
                                .mapToInt(name -> Objects.requireNonNull(numbers.get(name)))
                                .toArray())
                        .toArray(int[][]::new));
    }

    /** The names of so many nodes, by number. */
    static List<NodeId> names(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(node -> new NodeId("n" + node))
                .toList();
    }

    /** Production's placement over nodes of equal weight. */
    static SegmentPlacement over(Collection<NodeId> nodes) {
        return new SegmentPlacement(nodes.stream().collect(Collectors.toMap(Function.identity(), node -> 1.0)));
    }

    int count() {
        return nodes.length;
    }

    /** The name that decides where a segment lies. */
    Generation generation(int segment) {
        return generations.get(segment);
    }

    /** By segment, the numbers of its nodes in the order of the choice. Not to be changed. */
    int[][] nodes() {
        return nodes;
    }
}
