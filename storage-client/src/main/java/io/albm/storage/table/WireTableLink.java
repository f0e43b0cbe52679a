// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The table's leader over storage frames (docs/wire-storage.md). */
public final class WireTableLink implements TableLink {
    private final FrameClient client;
    private final Function<NodeId, Optional<NodeAddress>> addresses;

    /** @param addresses where a node listens for the table's frames, if it is a member */
    public WireTableLink(FrameClient client, Function<NodeId, Optional<NodeAddress>> addresses) {
        this.client = client;
        this.addresses = addresses;
    }

    @Override
    public CompletableFuture<TableReply> call(NodeId node, TableCall call, Duration deadline) {
        Optional<NodeAddress> address = addresses.apply(node);
        if (address.isEmpty()) {
            return CompletableFuture.failedFuture(new WireException(
                    WireCode.REFUSED, "node " + node + " leads the file table but is not a member of the cluster now"));
        }
        return client.call(address.get(), TableFrames.CALL, Unpooled.EMPTY_BUFFER, TableFrames.body(call), deadline)
                .thenApply(WireTableLink::reply);
    }

    private static TableReply reply(Frame frame) {
        try {
            return TableFrames.reply(frame);
        } finally {
            frame.release();
        }
    }
}
