// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.util.List;

/**
 * Which partner copies a host is to have: these, and none of other ranks.
 *
 * @param checkpoint that is complete
 */
public record PartnerOrder(long checkpoint, List<Wanted> copies) {
    /**
     * A state to be copied.
     *
     * @param from the host that has its local copy
     * @param copy what the rank said of it
     */
    public record Wanted(int rank, NodeAddress from, LocalCopy copy) {}

    public PartnerOrder {
        copies = List.copyOf(copies);
    }
}
