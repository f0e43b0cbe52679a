// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimNetwork;
import io.albm.core.sim.SimNode;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.Fence;
import io.albm.storage.Generation;
import io.albm.storage.GenerationPage;
import io.albm.storage.NodeSpace;
import io.albm.storage.StorageException;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One process's way to the I/O nodes: requests and answers are delayed, lost and cut off; each ends within a deadline. */
final class SimBlockClient implements BlockClient {
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final SimNetwork network;
    private final SimNode client;
    private final Map<NodeId, SimIoNode> nodes;
    private final SimIoFault fault;

    SimBlockClient(SimNetwork network, SimNode client, Map<NodeId, SimIoNode> nodes, SimIoFault fault) {
        this.network = network;
        this.client = client;
        this.nodes = nodes;
        this.fault = fault;
    }

    private record Call(String verb, Object what) {
        @Override
        public String toString() {
            return verb + " " + what;
        }
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        ByteBuf sent = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(body));
        body.release();
        return call(node, header.id(), new Call("write", header.id()), store -> {
                    store.write(header, mode, fence, sent);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return call(node, block, new Call("read", block), store -> store.read(block, from, length))
                .thenApply(part -> fault.received(new BlockPart(part.header(), (ByteBuf) part.body())));
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return call(node, block, new Call("verify", block), store -> store.verify(block));
    }

    @Override
    public CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blocks, long bytes, @Nullable Fence fence) {
        return call(node, null, new Call("set aside for", generation), store -> {
                    store.setAside(generation, blocks, bytes, fence);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return fault.sealed(
                call(node, null, new Call("seal", generation), store -> fault.seal(store, generation, fence)));
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence) {
        return call(node, null, new Call("remove", generation), store -> {
                    store.remove(generation, fence);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return call(node, null, new Call("sweep", generation), store -> store.sweep(generation, listing) == 0);
    }

    @Override
    public CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after) {
        return call(node, null, "generations", store -> store.generations(after));
    }

    @Override
    public CompletableFuture<NodeSpace> space(NodeId node) {
        return call(node, null, "space", BlockStore::space);
    }

    private <T> CompletableFuture<T> call(NodeId id, @Nullable BlockId block, Object what, SimIoNode.Work<T> work) {
        SimIoNode node = nodes.get(id);
        if (node == null) {
            return CompletableFuture.failedFuture(new StorageException.NodeUnreachable(id, "it is not a member"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        int caller = client.incarnation();
        client.after(
                DEADLINE,
                new Call("deadline of", what),
                () -> answer.completeExceptionally(new StorageException.NodeUnreachable(id, "no answer")));
        network.send(
                client,
                node.process,
                what,
                () -> node.work(
                        what,
                        work,
                        outcome -> network.send(node.process, client, new Call("done:", what), () -> {
                            // An answer comes by the connection of who has asked, and not to who is there later.
                            if (client.incarnation() == caller) {
                                complete(answer, id, block, outcome);
                            }
                        })));
        return answer;
    }

    private static <T> void complete(
            CompletableFuture<T> answer, NodeId node, @Nullable BlockId block, SimIoNode.Outcome<T> outcome) {
        switch (outcome) {
            case SimIoNode.Outcome.Done<T>(T value) -> answer.complete(value);
            case SimIoNode.Outcome.Failed<T>(IOException cause) ->
                answer.completeExceptionally(translate(node, block, cause));
        }
    }

    /** What a client makes of the failures that {@link BlockService} sends over the wire. */
    private static StorageException translate(NodeId node, @Nullable BlockId block, IOException failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure) {
            case NoSuchFileException missing when block != null -> new StorageException.BlockMissing(node, block);
            case CorruptBlockException corrupt
            when block != null -> new StorageException.BlockCorrupt(node, block, reason);
            case NoSpaceException full -> new StorageException.NoSpace(node, reason);
            case StaleEpochException stale -> new StorageException.Fenced(reason);
            default -> new StorageException.NodeFailed(node, reason);
        };
    }
}
