// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.storage.StripeGeometry;
import java.util.List;

/** A layout on trial: production's geometry under a name for people. */
record Layout(String name, StripeGeometry geometry) {
    private static final int UNIT_BYTES = 1 << 20;

    /** Those that are compared; the widest is the last of them. */
    static final List<Layout> ALL =
            List.of(copies(2), copies(3), striped(4, 0), striped(4, 1), striped(4, 2), striped(8, 2));

    static final Layout WIDEST = ALL.getLast();

    static Layout striped(int dataUnits, int parityUnits) {
        return new Layout(dataUnits + "+" + parityUnits, new StripeGeometry(dataUnits, parityUnits, UNIT_BYTES));
    }

    /** What one unit holds is kept so: parity of a single data unit equals it. */
    private static Layout copies(int copies) {
        return new Layout("copies-" + copies, new StripeGeometry(1, copies - 1, UNIT_BYTES));
    }

    /** Nodes that each segment lies on: K + M. */
    int width() {
        return geometry.width();
    }

    /** How many of them may be down at once: M. */
    int bearable() {
        return geometry.parityUnits();
    }

    /** Whether what a node held can be made again at all. */
    boolean isRebuilt() {
        return bearable() > 0;
    }

    /** Bytes on disks for each byte that is stored. */
    double spaceFactor() {
        return (double) width() / geometry.dataUnits();
    }
}
