// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/** What is known of documents before their second request: how many of them get one, and after how long. */
final class FirstTimers {

    /** Counts are halved at this many first requests, so that what changes is followed. */
    private static final double MOST_FIRST = 20_000;

    private double first = 1;
    private double second = 0.5;
    private double gaps = 100;

    void first() {
        first++;
        if (first > MOST_FIRST) {
            first /= 2;
            second /= 2;
            gaps /= 2;
        }
    }

    /** A second request came, that long after the first. */
    void second(double gap) {
        second++;
        gaps += gap;
    }

    /** Mean gap before a second request over the chance that there is one. */
    double distance() {
        double meanGap = gaps / second;
        double chance = Math.min(1, second / first);
        return meanGap / chance;
    }
}
