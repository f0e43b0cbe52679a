// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * Names one block: unit {@code unit} of stripe {@code stripe} of a file's generation. Units below the geometry's data
 * units are data in file order, the one after them is parity.
 */
public record BlockId(Generation generation, long stripe, int unit) {
    public BlockId {
        if (stripe < 0 || unit < 0 || unit >= StripeGeometry.MAX_WIDTH) {
            throw new IllegalArgumentException("block " + generation + "/" + stripe + "-" + unit
                    + ": expected a stripe of at least 0 and a unit of 0 to " + (StripeGeometry.MAX_WIDTH - 1));
        }
    }

    @Override
    public String toString() {
        return generation + "/" + stripe + "-" + unit;
    }
}
