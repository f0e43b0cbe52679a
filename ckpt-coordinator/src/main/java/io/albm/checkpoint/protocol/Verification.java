// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.time.Instant;

/**
 * What the last reading of every byte of a complete checkpoint found.
 *
 * @param at wall-clock time of whoever read it, for people
 * @param problem what was wrong; empty if it can be restored
 */
public record Verification(Instant at, String problem) {
    /** Every byte was what its rank had saved. */
    public boolean good() {
        return problem.isEmpty();
    }
}
