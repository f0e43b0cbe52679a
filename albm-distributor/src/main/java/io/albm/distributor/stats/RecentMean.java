// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

/**
 * The mean of something over about the last {@value #WINDOW} requests, as HAProxy's {@code qtime} and its kin are. Taken
 * from sums that only grow, by looking at them once in a while, so that a request costs an addition and no more.
 *
 * <p>One thread looks; any may read.
 */
public final class RecentMean {
    private static final int WINDOW = 1024;

    private long lastSum;
    private long lastCount;
    private volatile double mean = Double.NaN;

    /**
     * Takes the next look.
     *
     * @param sum of all values so far
     * @param count how many they were
     */
    void look(long sum, long count) {
        long more = count - lastCount;
        if (more > 0) {
            double recent = (double) (sum - lastSum) / more;
            double share = Math.min(1, (double) more / Math.min(count, WINDOW));
            mean = lastCount == 0 ? recent : mean + share * (recent - mean);
            lastSum = sum;
            lastCount = count;
        }
    }

    /** The mean; NaN while there was nothing. */
    public double value() {
        return mean;
    }
}
