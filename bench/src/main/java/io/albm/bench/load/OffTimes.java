// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a user of SURGE is silent, and how many files a page has (Barford and Crovella, SIGMETRICS 1998, table 1). Between
 * pages a user reads for a Pareto time (k = 1 s, alpha = 1.5: heavy, with a mean of 3 s); between the files of a page the
 * browser takes a Weibull time (1.46 s, 0.382); pages have Pareto many files (k = 1, alpha = 2.43) beside their first.
 *
 * <p>Tails are cut where a run of some seconds would see one user less instead of a silence: reading at a minute, the
 * browser at the second which SURGE takes for the border between the two, files at 50. Not thread-safe, because the
 * random source is not.
 */
public final class OffTimes {
    private static final double READING_SCALE_SECONDS = 1;
    private static final double READING_ALPHA = 1.5;
    private static final double MOST_READING_SECONDS = 60;
    private static final double BROWSER_SCALE_SECONDS = 1.46;
    private static final double BROWSER_SHAPE = 0.382;
    private static final double MOST_BROWSER_SECONDS = 1;
    private static final double FILES_ALPHA = 2.43;
    private static final int MOST_FILES = 50;

    private final RandomGenerator random;

    /** Draws from that source. */
    public OffTimes(RandomGenerator random) {
        this.random = random;
    }

    /** Between two pages (SURGE's inactive OFF time). */
    public Duration reading() {
        return seconds(Math.min(READING_SCALE_SECONDS * pareto(READING_ALPHA), MOST_READING_SECONDS));
    }

    /** Between two files of a page (SURGE's active OFF time). */
    public Duration browser() {
        double weibull = BROWSER_SCALE_SECONDS * Math.pow(-Math.log(1 - random.nextDouble()), 1 / BROWSER_SHAPE);
        return seconds(Math.min(weibull, MOST_BROWSER_SECONDS));
    }

    /** Files of a page beside the first. */
    public int embeddedFiles() {
        return (int) Math.min(pareto(FILES_ALPHA), MOST_FILES);
    }

    /** At least 1. */
    private double pareto(double alpha) {
        return Math.pow(1 - random.nextDouble(), -1 / alpha);
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}
