// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A backend that should take part.
 *
 * @param address where it answers
 * @param host the agent that reports its host's counters; null if none does
 * @param weight how much it takes against the others where the policy heeds weights; 0 takes nothing new, under any policy
 */
public record BackendSpec(NodeAddress address, @Nullable NodeId host, int weight) {
    /** One that weighs as much as every other. */
    public BackendSpec(NodeAddress address, @Nullable NodeId host) {
        this(address, host, 1);
    }
}
