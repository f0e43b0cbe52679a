// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import java.util.Comparator;

/**
 * The node on which the container would disturb, and be disturbed, least: the scheduler that paper P4 names as future
 * work.
 *
 * <p>P4 measured that containers slow each other down by 10 to 39 % once their memory together does not fit the node,
 * though each stays within what it was promised; {@code albm experiment interference} shows the same on this machine,
 * and that it is the overflow that costs, not the memory. Promises cannot predict it, because a container keeps more or
 * less in use than it reserved, page cache above all. So this policy goes by what was measured:
 *
 * <ol>
 *   <li>lowest <em>interference</em>: the share of demand that would not fit (and would be read from disk again and
 *       again) plus the pressure that the node already shows, which catches what working sets hide. Steps of 1 % count
 *       as equal: less is noise, and would make placements flap;
 *   <li>then lowest share of memory in demand, which keeps room for growth;
 *   <li>then fewest containers.
 * </ol>
 *
 * <p>Where nothing overflows and nothing waits it therefore behaves like a spread by memory. Costs one pass over the
 * containers of every node.
 */
final class InterferenceAware {
    private static final double STEPS = 100;

    private InterferenceAware() {}

    static PlacementPolicy policy() {
        return new RankingPolicy(
                Comparator.comparingDouble(InterferenceAware::interferenceInSteps)
                        .thenComparingDouble(candidate -> candidate.after().demandShare())
                        .thenComparingInt(
                                candidate -> candidate.before().containers().size()),
                InterferenceAware::reason);
    }

    private static double interferenceInSteps(RankingPolicy.Candidate candidate) {
        return Math.rint(interference(candidate.after()) * STEPS);
    }

    /** The share of memory demand that does not fit, plus the share of time that tasks wait for memory already. */
    static double interference(NodeLoad node) {
        return Math.max(0, node.demandShare() - 1) + node.memoryPressure();
    }

    private static String reason(RankingPolicy.Candidate candidate) {
        NodeLoad after = candidate.after();
        return "least interference: %.0f %% of memory in demand with it, %.0f %% over, %.0f %% pressure now"
                .formatted(
                        after.demandShare() * 100,
                        Math.max(0, after.demandShare() - 1) * 100,
                        after.memoryPressure() * 100);
    }
}
