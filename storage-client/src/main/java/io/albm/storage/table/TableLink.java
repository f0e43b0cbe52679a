// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The way from a client to the node that leads the table; the seam at which a simulator takes the network's place. */
@FunctionalInterface
public interface TableLink {
    /**
     * Sends a call.
     *
     * @param deadline how long to wait for the reply
     * @return fails with {@link io.albm.core.wire.WireException}, as {@link TableLeader#submit} does and with what can happen
     *     on the way
     */
    CompletableFuture<TableReply> call(NodeId node, TableCall call, Duration deadline);
}
