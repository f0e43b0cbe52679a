// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.BitSet;

/** Which failures lose data. */
@FunctionalInterface
interface LossRule {
    /** None: for what has nothing to do with losses. */
    LossRule NONE = down -> Exposure.NONE;

    /** What one more failure would do while these nodes are down, which have lost nothing. */
    Exposure exposure(BitSet down);
}
