// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.Locale;

/**
 * Multistriped checkpointing: the size of the stripe group is chosen anew at every checkpoint from the bandwidth that is
 * available then (P3, "Multistriped").
 *
 * <p>All nodes writing at once saturate the network to stable storage; one after the other takes long. A fixed group
 * size in between fits only the load for which it was chosen. This policy starts with the size that fits at the start of
 * the job and follows the bandwidth in halving steps:
 *
 * <pre>size = largest of initial, initial/2, initial/4, … that is at most initial × now / at start, within [1, initial]</pre>
 *
 * <p>One addition of ours: bandwidth is measured, so a hundredth less than at the start is noise, and to the letter it
 * would halve the group on an idle network. A bandwidth within {@value #TOLERANCE} of a step's share counts as enough for
 * that step; nothing else changes, and never the bounds.
 *
 * <p>It shrinks and grows in proportion to the available bandwidth and never exceeds the initial size. The choice is
 * O(1): the number of halvings is a difference of leading zeros, not a search. It keeps no state, so a new leader
 * chooses as the old one would have.
 *
 * <p>Known limits, measured on shaped networks: against background traffic small groups hold fewer shares of a fair
 * link, and with many storage ports small groups leave ports idle. P3's rule is kept here, but for the tolerance; a scheme that
 * does better is another {@link CheckpointStrategy}.
 */
public final class StripeGroupPolicy implements CheckpointStrategy {
    /** Share of a step by which a measurement may fall short of it. */
    static final double TOLERANCE = 0.05;

    private final int initialSize;

    /** @param initialSize the group size that fits the bandwidth at the start, at least 1 */
    public StripeGroupPolicy(int initialSize) {
        if (initialSize < 1) {
            throw new IllegalArgumentException("initial stripe group size " + initialSize + "; at least 1");
        }
        this.initialSize = initialSize;
    }

    @Override
    public DrainPlan plan(RankSizes sizes, Network network) {
        Bandwidth bandwidth = network.bandwidth();
        int size = groupSize(bandwidth);
        return new StripeGroups(sizes.ranks(), size, why(size, bandwidth));
    }

    private String why(int size, Bandwidth bandwidth) {
        return String.format(
                Locale.ROOT,
                "group size %d: the largest of %d, halved and halved again, that is at most %d x %.2f, the bandwidth of"
                        + " now over that at the start",
                size,
                initialSize,
                initialSize,
                bandwidth.ratio());
    }

    /** The stripe group size for this bandwidth, in [1, initial]. */
    public int groupSize(Bandwidth bandwidth) {
        double fits = initialSize * bandwidth.ratio() / (1 - TOLERANCE);
        if (fits >= initialSize) {
            return initialSize;
        }
        return fits < 1 ? 1 : largestStep((int) fits);
    }

    /** Equal lengths in binary differ by less than a factor of 2, so one more halving is enough. */
    private int largestStep(int limit) {
        int halvings = Integer.numberOfLeadingZeros(limit) - Integer.numberOfLeadingZeros(initialSize);
        int step = initialSize >> halvings;
        return step <= limit ? step : step >> 1;
    }
}
