// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

/**
 * How long and how often a scenario is run. Large clusters have more requests in a second, and differ less by seed.
 *
 * @param warmUpSeconds that are not counted: queues, costs and weights settle
 * @param seconds that are counted
 * @param seeds how many runs
 */
record RunLength(double warmUpSeconds, double seconds, int seeds) {
    private static final int SMALL = 4;
    private static final int MIDDLE = 100;

    static RunLength of(Scenario scenario, boolean shorter) {
        if (scenario.servers() <= SMALL) {
            return shorter ? new RunLength(15, 200, 4) : new RunLength(15, 300, 10);
        }
        if (scenario.servers() <= MIDDLE) {
            return shorter ? new RunLength(8, 6, 2) : new RunLength(15, 30, 10);
        }
        return shorter ? new RunLength(3, 1.5, 1) : new RunLength(6, 3, 10);
    }
}
