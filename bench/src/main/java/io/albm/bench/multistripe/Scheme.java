// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.CheckpointStrategy;
import io.albm.checkpoint.strategy.DrainPlan;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.Politeness;
import io.albm.checkpoint.strategy.RankSizes;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A scheme of the registry with what it is told.
 *
 * @param name in tables
 * @param strategy in the registry
 * @param groupSize the fixed or the initial one, for those that have one
 * @param politeness who yields, for those that are paced
 */
record Scheme(String name, String strategy, int groupSize, Politeness politeness) {
    /** P3's fixed group of four beside those of all and of one. */
    static final String FOUR = "striped-4";

    static final String ALL_AT_ONCE = "coordinated";
    static final String ONE_BY_ONE = "staggered";
    static final String MULTISTRIPED = "multistriped";

    /** The credit window in its two ways. */
    static final String POLITE = "credit-window";

    static final String FAST = "credit-window-fast";

    /** Those whose group size is fixed. */
    static final List<String> FIXED = List.of(ALL_AT_ONCE, FOUR, ONE_BY_ONE);

    /** Of the registry: those of the paper first, then all others that there are. */
    static List<Scheme> all() {
        List<Scheme> paper = List.of(
                of(ALL_AT_ONCE, ALL_AT_ONCE, Scene.RANKS),
                of(FOUR, "striped", 4),
                of(ONE_BY_ONE, ONE_BY_ONE, 1),
                of(MULTISTRIPED, MULTISTRIPED, Scene.RANKS));
        Stream<Scheme> others = CheckpointStrategies.names().stream()
                .filter(name -> paper.stream().noneMatch(scheme -> scheme.strategy.equals(name)))
                .map(name -> of(name, name, Scene.RANKS))
                .flatMap(Scheme::ways);
        return Stream.concat(paper.stream(), others).toList();
    }

    private static Scheme of(String name, String strategy, int groupSize) {
        return new Scheme(name, strategy, groupSize, Politeness.POLITE);
    }

    /** What is paced has two. */
    private Stream<Scheme> ways() {
        return isPaced()
                ? Stream.of(this, new Scheme(name + "-fast", strategy, groupSize, Politeness.FAST))
                : Stream.of(this);
    }

    /** Whether I/O nodes are told at which rates to grant credit. */
    boolean isPaced() {
        return create().isPaced();
    }

    private CheckpointStrategy create() {
        return CheckpointStrategies.create(strategy, groupSize);
    }

    DrainPlan plan(long checkpoint, long rankBytes, Network network) {
        RankSizes sizes = new RankSizes(
                checkpoint,
                IntStream.range(0, Scene.RANKS)
                        .boxed()
                        .collect(Collectors.toMap(Function.identity(), rank -> rankBytes)));
        return create().plan(sizes, network);
    }
}
