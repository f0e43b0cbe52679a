// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

/**
 * An undisturbed window and the disturbed one right after it, so that whatever else drifts on the machine drifts for
 * both.
 *
 * @param disturbance what was done in the second
 */
public record WindowPair(Disturbance disturbance, Window undisturbed, Window disturbed) {
    /** How much longer a count took, in percent of the undisturbed time. */
    public double increasePercent() {
        return (disturbed.countMillis() / undisturbed.countMillis() - 1) * 100;
    }
}
