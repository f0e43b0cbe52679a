// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A backend that should take part.
 *
 * @param address where it answers HTTP
 * @param host the agent that reports its host's counters; null if none does
 */
public record BackendSpec(NodeAddress address, @Nullable NodeId host) {}
