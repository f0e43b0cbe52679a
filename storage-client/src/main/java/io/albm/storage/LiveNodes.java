// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Map;
import java.util.Set;

/** The I/O nodes that can be written to now, as far as is known. Called for every new file; must not block. */
@FunctionalInterface
public interface LiveNodes {
    /** Each live node with its relative share of new blocks, above 0: in practice its capacity. */
    Map<NodeId, Double> weights();

    /** What a node fails with, by what is known of it now: one that is not alive is a domain by itself. */
    default FailureDomain domain(NodeId node) {
        return FailureDomain.of(node);
    }

    /** Nodes that are to leave: they keep what they have, and get no new blocks. Some may have left. */
    default Set<NodeId> retiring() {
        return Set.of();
    }

    /** M of what is written by somebody who does not say it: how many nodes may be lost at once, 0 to 2. */
    default int parityUnits() {
        return 1;
    }
}
