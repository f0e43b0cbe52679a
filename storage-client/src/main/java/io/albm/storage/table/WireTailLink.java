// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.View;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The tails of other nodes over storage frames (docs/wire-storage.md). */
record WireTailLink(FrameClient client, View<Map<NodeId, Member>> members) implements TailLink {
    /** The tails of a cluster's storage nodes. Cluster and client stay the caller's. */
    static WireTailLink open(Cluster cluster, FrameClient client) {
        return new WireTailLink(client, cluster.members(Role.STORAGE_NODE));
    }

    @Override
    public Set<NodeId> nodes() {
        return members.get().keySet();
    }

    @Override
    public CompletableFuture<Held> append(NodeId node, TailAppend append, Duration deadline) {
        return call(
                node,
                TailFrames.APPEND,
                TailFrames.header(append),
                TailFrames.body(append.entries()),
                deadline,
                TailFrames::held);
    }

    @Override
    public CompletableFuture<Tail> collect(NodeId node, long epoch, Duration deadline) {
        return call(
                node, TailFrames.COLLECT, TailFrames.header(epoch), Unpooled.EMPTY_BUFFER, deadline, TailFrames::tail);
    }

    private <T> CompletableFuture<T> call(
            NodeId node, int type, ByteBuf header, ByteBuf body, Duration deadline, Function<Frame, T> reader) {
        Optional<NodeAddress> address = Optional.ofNullable(members.get().get(node))
                .flatMap(member -> member.endpoint(RemoteFileTable.ENDPOINT));
        if (address.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new WireException(WireCode.UNAVAILABLE, "node " + node + " is not known to serve the file table"));
        }
        return client.call(address.get(), type, header, body, deadline).thenApply(frame -> {
            try {
                return reader.apply(frame);
            } finally {
                frame.release();
            }
        });
    }
}
