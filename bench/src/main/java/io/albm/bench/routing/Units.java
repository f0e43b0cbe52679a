// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

/** Seconds in, nanoseconds out. */
final class Units {
    static final double NANOS_PER_SECOND = 1e9;

    private Units() {}

    static long nanos(double seconds) {
        return Math.round(seconds * NANOS_PER_SECOND);
    }
}
