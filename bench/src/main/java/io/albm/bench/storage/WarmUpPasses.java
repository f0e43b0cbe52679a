// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.IOException;

/**
 * Repeats on a smaller file what is measured afterwards, so that no JVM compiles then, neither the client's nor those that serve
 * it: until {@value #IN_A_ROW} passes in a row were not faster by {@value #LEAST_GAIN} than the best before, at most
 * {@value #MOST} of them.
 */
final class WarmUpPasses {
    /** MiB of the smaller file. */
    static final int BLOCKS = 128;

    private static final int MOST = 24;
    private static final int IN_A_ROW = 3;
    private static final double LEAST_GAIN = 0.03;

    private WarmUpPasses() {}

    /** One pass. */
    @FunctionalInterface
    interface Pass {
        Tally run() throws IOException;
    }

    static void run(Pass pass) throws IOException {
        double best = 0;
        int steady = 0;
        for (int passes = 0; passes < MOST && steady < IN_A_ROW; passes++) {
            double rate = pass.run().perSecond();
            steady = rate > best * (1 + LEAST_GAIN) ? 0 : steady + 1;
            best = Math.max(best, rate);
        }
    }
}
