// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Map;

/** The I/O nodes that can be written to now, as far as is known. Called for every new file; must not block. */
@FunctionalInterface
public interface LiveNodes {
    /** Each live node with its relative share of new blocks, above 0: in practice its capacity. */
    Map<NodeId, Double> weights();

    /** M of what is written by somebody who does not say it: how many nodes may be lost at once, 0 to 2. */
    default int parityUnits() {
        return 1;
    }
}
