// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The way to the tails of other nodes; the seam at which a simulator takes the network's place. Thread-safe. */
interface TailLink {
    /** The storage nodes that are alive, as far as is known here; with or without this one. */
    Set<NodeId> nodes();

    /** See {@link TableTail#append}; fails with {@link io.albm.core.wire.WireException}. */
    CompletableFuture<Held> append(NodeId node, TailAppend append, Duration deadline);

    /** See {@link TableTail#collect}; fails with {@link io.albm.core.wire.WireException}. */
    CompletableFuture<Tail> collect(NodeId node, long epoch, Duration deadline);
}
