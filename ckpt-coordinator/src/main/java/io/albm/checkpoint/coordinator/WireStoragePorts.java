// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.core.cluster.View;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.storage.Fence;
import io.albm.storage.StripedStore;
import io.albm.storage.WireBlockClient;
import io.albm.storage.WriteRate;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Probes and rates in frames. They have connections of their own, which carry nothing else, so a probe waits behind no bulk bytes
 * of this process; and all of them stay on one event loop, which takes the time when it sends and when it receives, so that
 * a probe counts no wait for this process's other threads. Thread-safe, never blocks.
 */
public final class WireStoragePorts implements StoragePorts, AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final String FENCE_SCOPE = "checkpoint-rates";

    private final View<Map<NodeId, Member>> members;
    private final MonotonicClock clock;
    private final FrameClient client;
    private final EventLoop loop;
    private final WireBlockClient blocks;

    /**
     * Over the nodes that are members.
     *
     * @param transport on whose first event loop all of it runs
     */
    public WireStoragePorts(View<Map<NodeId, Member>> members, Transport transport, MonotonicClock clock) {
        this.members = members;
        this.clock = clock;
        this.client = new FrameClient(transport);
        this.loop = transport.eventLoops().next();
        this.blocks = new WireBlockClient(client, this::address, DEADLINE);
    }

    @Override
    public Set<NodeId> nodes() {
        return members.get().keySet();
    }

    private Optional<NodeAddress> address(NodeId node) {
        return Optional.ofNullable(members.get().get(node)).flatMap(member -> member.endpoint(StripedStore.ENDPOINT));
    }

    @Override
    public CompletableFuture<Long> probe(NodeId node) {
        return onLoop(() -> {
            long sent = clock.nanoTime();
            return address(node)
                    .map(to -> client.ping(to, DEADLINE).thenApply(_ -> clock.nanoTime() - sent))
                    .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(node + " has left")));
        });
    }

    @Override
    public CompletableFuture<Void> pace(NodeId node, WriteRate rate, long epoch) {
        return onLoop(() -> blocks.pace(node, rate, new Fence(FENCE_SCOPE, epoch)));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> call) {
        return CompletableFuture.supplyAsync(call, loop).thenCompose(answer -> answer);
    }

    @Override
    public void close() {
        client.close();
    }
}
