// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import java.util.random.RandomGenerator;

/**
 * Paper P1's mix: 50 % of one byte, 40 % that hold 5 MB, 10 % that hold 15 MB.
 *
 * <p>Processor time: 5 ms for a dynamic page of the paper's time and 7 ms for each megabyte that is allocated, zeroed and filled
 * (150 MB/s). The mean is 29.5 ms, so that the four servers, one of them with half a processor, could do 119 requests/s at
 * most: 80/s is two thirds of that, and whoever fails there fails for memory. Memory is held until the answer is
 * delivered, 1 s and an exponential half second more. A page of one byte is wanted within 1 s, the others within 4 s.
 */
enum RequestClass {
    TINY(0, 0.5, 0, 5, false, 1),
    MEDIUM(1, 0.4, 5, 40, true, 4),
    LARGE(2, 0.1, 15, 110, true, 4);

    private static final long MIB = 1L << 20;
    private static final double HOLD_SECONDS = 1;
    private static final double MORE_HOLD_SECONDS = 0.5;

    /** Counted from 0: the class's place in arrays, and its priority in a queue. */
    final int number;

    final double share;
    final double memoryBytes;
    final double cpuSeconds;
    final long withinNanos;
    private final boolean holds;

    RequestClass(int number, double share, int memoryMib, double cpuMillis, boolean holds, int withinSeconds) {
        this.number = number;
        this.share = share;
        this.memoryBytes = (double) memoryMib * MIB;
        this.cpuSeconds = cpuMillis / 1e3;
        this.holds = holds;
        this.withinNanos = Units.nanos(withinSeconds);
    }

    static RequestClass draw(RandomGenerator random) {
        double ticket = random.nextDouble();
        if (ticket < TINY.share) {
            return TINY;
        }
        return ticket < TINY.share + MEDIUM.share ? MEDIUM : LARGE;
    }

    /** How long the answer takes to be delivered while its memory is held. */
    double holdSeconds(RandomGenerator random) {
        return holds ? HOLD_SECONDS + MORE_HOLD_SECONDS * random.nextExponential() : 0;
    }
}
