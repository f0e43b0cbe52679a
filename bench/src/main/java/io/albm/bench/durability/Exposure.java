// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.BitSet;

/**
 * What one more failure would do.
 *
 * @param fatal the nodes whose failure would lose data; not to be changed
 * @param segmentsLost how many segments such a failure loses, on average over those nodes; 0 if there are none
 */
record Exposure(BitSet fatal, double segmentsLost) {
    static final Exposure NONE = new Exposure(new BitSet(), 0);

    boolean isFatal(int node) {
        return fatal.get(node);
    }

    int fatalNodes() {
        return fatal.cardinality();
    }
}
