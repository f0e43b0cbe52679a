// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

/**
 * Available network bandwidth, in bytes per second.
 *
 * @param atStart when the job began; more than 0
 * @param now before this checkpoint; at least 0
 */
public record Bandwidth(double atStart, double now) {
    /** Nothing was measured: as good as at the start. */
    public static final Bandwidth UNCHANGED = new Bandwidth(1, 1);

    public Bandwidth {
        if (!(atStart > 0) || !(now >= 0)) {
            throw new IllegalArgumentException("bandwidth " + now + " B/s now, " + atStart + " B/s at the start");
        }
    }

    /** Bandwidth now as a share of that at the start; may exceed 1. */
    public double ratio() {
        return now / atStart;
    }
}
