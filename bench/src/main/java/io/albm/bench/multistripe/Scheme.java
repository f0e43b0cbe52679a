// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.DrainPlan;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A scheme of the registry with what it is told.
 *
 * @param name in tables
 * @param strategy in the registry
 * @param groupSize the fixed or the initial one, for those that have one
 */
record Scheme(String name, String strategy, int groupSize) {
    /** P3's fixed group of four beside those of all and of one. */
    static final String FOUR = "striped-4";

    static final String ALL_AT_ONCE = "coordinated";
    static final String ONE_BY_ONE = "staggered";
    static final String MULTISTRIPED = "multistriped";

    /** The credit window, which has targets once the registry has it, in its two ways. */
    static final String POLITE = "credit-window";

    static final String FAST = "credit-window-fast";

    /** Those whose group size is fixed. */
    static final List<String> FIXED = List.of(ALL_AT_ONCE, FOUR, ONE_BY_ONE);

    /** Of the registry: those of the paper first, then all others that there are. */
    static List<Scheme> all() {
        List<Scheme> paper = List.of(
                new Scheme(ALL_AT_ONCE, ALL_AT_ONCE, Scene.RANKS),
                new Scheme(FOUR, "striped", 4),
                new Scheme(ONE_BY_ONE, ONE_BY_ONE, 1),
                new Scheme(MULTISTRIPED, MULTISTRIPED, Scene.RANKS));
        Stream<Scheme> others = CheckpointStrategies.names().stream()
                .filter(name -> paper.stream().noneMatch(scheme -> scheme.strategy.equals(name)))
                .map(name -> new Scheme(name, name, Scene.RANKS));
        return Stream.concat(paper.stream(), others).toList();
    }

    DrainPlan plan(Bandwidth bandwidth) {
        return CheckpointStrategies.create(strategy, groupSize)
                .plan(IntStream.range(0, Scene.RANKS).boxed().toList(), bandwidth);
    }
}
