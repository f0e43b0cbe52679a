// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.core.node.NodeId;
import io.albm.storage.WriteRate;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The way to the I/O nodes' ports: what is measured there, and set. Futures fail if a node cannot be reached. */
public interface StoragePorts {
    /** All that are members now: a set that does not change, and the same one while nobody comes or goes. */
    Set<NodeId> nodes();

    /** Measures a round trip, in nanoseconds. Done within a second. */
    CompletableFuture<Long> probe(NodeId node);

    /** Has a node grant credit at most at a rate. */
    CompletableFuture<Void> pace(NodeId node, WriteRate rate, long epoch);
}
