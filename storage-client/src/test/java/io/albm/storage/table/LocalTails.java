// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeId;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Tails of other nodes in this process. */
final class LocalTails implements TailLink {
    private final Map<NodeId, TableTail> tails = new ConcurrentHashMap<>();
    private final Set<NodeId> away = ConcurrentHashMap.newKeySet();

    TableTail put(String node, TableTail tail) {
        tails.put(new NodeId(node), tail);
        return tail;
    }

    /** The node does not answer any more. */
    void lose(String node) {
        away.add(new NodeId(node));
    }

    @Override
    public Set<NodeId> nodes() {
        return new HashSet<>(tails.keySet());
    }

    @Override
    public CompletableFuture<Held> append(NodeId node, TailAppend append, Duration deadline) {
        return call(node, tail -> tail.append(append));
    }

    @Override
    public CompletableFuture<Tail> collect(NodeId node, long epoch, Duration deadline) {
        return call(node, tail -> tail.collect(epoch));
    }

    private <T> CompletableFuture<T> call(NodeId node, Function<TableTail, T> work) {
        TableTail tail = tails.get(node);
        if (tail == null || away.contains(node)) {
            return CompletableFuture.failedFuture(new WireException(WireCode.UNAVAILABLE, node + " is away"));
        }
        try {
            return CompletableFuture.completedFuture(work.apply(tail));
        } catch (WireException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }
}
