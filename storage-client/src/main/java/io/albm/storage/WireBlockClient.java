// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FramePool;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Talks to I/O nodes in frames. Finds a node by the membership of the moment. Thread-safe, never blocks. */
public final class WireBlockClient implements BlockClient {
    private final FrameClient client;
    private final Function<NodeId, Optional<NodeAddress>> addresses;
    private final Duration deadline;
    private final ReadPatience patience;
    private final CreditedWrites writes;
    private final CreditedWrites backgroundWrites;
    private final boolean background;
    private final boolean hasty;

    /**
     * @param addresses where a node listens for storage frames, if it is a member
     * @param deadline bound on every call; a write waits before for as long as its node serves others first
     */
    public WireBlockClient(FrameClient client, Function<NodeId, Optional<NodeAddress>> addresses, Duration deadline) {
        this.client = client;
        this.addresses = addresses;
        this.deadline = deadline;
        this.patience = new ReadPatience();
        SecureRandom random = new SecureRandom();
        this.writes = writes(new Sender(random.nextLong(), false));
        this.backgroundWrites = writes(new Sender(random.nextLong(), true));
        this.background = false;
        this.hasty = false;
    }

    /** The same client in another way. */
    private WireBlockClient(WireBlockClient same, boolean background, boolean hasty) {
        this.client = same.client;
        this.addresses = same.addresses;
        this.deadline = same.deadline;
        this.patience = same.patience;
        this.writes = same.writes;
        this.backgroundWrites = same.backgroundWrites;
        this.background = background;
        this.hasty = hasty;
    }

    private CreditedWrites writes(Sender sender) {
        return new CreditedWrites(sender, new Nodes(), deadline, MonotonicClock.system());
    }

    @Override
    public BlockClient background() {
        return new WireBlockClient(this, true, false);
    }

    /** Of work in the background nothing is given up: it waits by design. */
    @Override
    public BlockClient hasty() {
        return background ? this : new WireBlockClient(this, false, true);
    }

    /** A write that waits for credit is not given up, however long others are served first. */
    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        return translated(
                node,
                header.id(),
                deadline,
                (background ? backgroundWrites : writes).write(node, header, mode, fence, body));
    }

    /** How credit is asked for, and used. */
    private final class Nodes implements CreditedWrites.Nodes {
        @Override
        public CompletableFuture<StorageReply.Granted> ask(NodeId node, StorageRequest.Ask ask) {
            return send(node, ask, Unpooled.EMPTY_BUFFER)
                    .thenApply(frame -> take(frame, answer -> expect(answer, StorageReply.Granted.class)))
                    .thenApply(granted -> paced(node, granted));
        }

        private StorageReply.Granted paced(NodeId node, StorageReply.Granted granted) {
            if (granted.bytes() > 0) {
                addresses.apply(node).ifPresent(address -> client.pace(address, granted.bytesPerSecond()));
            }
            return granted;
        }

        @Override
        public CompletableFuture<StorageReply.Written> write(NodeId node, StorageRequest.Write write, ByteBuf body) {
            return send(node, write, body)
                    .thenApply(frame -> take(frame, answer -> expect(answer, StorageReply.Written.class)));
        }
    }

    /**
     * Has a node grant credit at most at a rate, until that has lasted, or another is set.
     *
     * @param fence whoever sets rates after another raises its epoch, and the other one is refused
     */
    public CompletableFuture<Void> pace(NodeId node, WriteRate rate, Fence fence) {
        return call(node, new StorageRequest.Pace(rate, fence), null, frame -> done(frame));
    }

    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        Duration bound = hasty ? Duration.ofNanos(patience.nanos(deadline.toNanos())) : deadline;
        long start = System.nanoTime();
        CompletableFuture<BlockPart> read = call(
                node,
                new StorageRequest.Read(block, from, length, background),
                block,
                bound,
                frame -> new BlockPart(
                        expect(frame, StorageReply.Part.class).part(),
                        frame.body().retain()));
        return hasty ? read.whenComplete((part, failure) -> learn(System.nanoTime() - start, failure)) : read;
    }

    private void learn(long nanos, @Nullable Throwable failure) {
        if (failure == null) {
            patience.answered(nanos);
        } else if (StorageException.unwrap(failure) instanceof StorageException.NodeSlow) {
            patience.gaveUp(nanos);
        }
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return call(
                node,
                new StorageRequest.Verify(block),
                block,
                frame -> expect(frame, StorageReply.Found.class).block());
    }

    @Override
    public CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blocks, long bytes, @Nullable Fence fence) {
        return call(node, new StorageRequest.SetAside(generation, blocks, bytes, fence), null, frame -> done(frame));
    }

    @Override
    public CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return call(
                node,
                new StorageRequest.Seal(generation, fence),
                null,
                frame -> expect(frame, StorageReply.Sealed.class).blocks());
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence) {
        return call(node, new StorageRequest.Remove(generation, fence), null, frame -> done(frame));
    }

    @Override
    public CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return call(
                node,
                new StorageRequest.Sweep(generation, listing),
                null,
                frame -> expect(frame, StorageReply.Sealed.class).blocks() == 0);
    }

    @Override
    public CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after) {
        return call(
                node,
                new StorageRequest.Generations(after),
                null,
                frame -> expect(frame, StorageReply.Listed.class).page(frame.body()));
    }

    @Override
    public CompletableFuture<NodeSpace> space(NodeId node) {
        return call(
                node,
                new StorageRequest.Space(),
                null,
                frame -> expect(frame, StorageReply.Room.class).space());
    }

    private <T> CompletableFuture<T> call(
            NodeId node, StorageRequest request, @Nullable BlockId block, Function<Frame, T> answer) {
        return call(node, request, block, deadline, answer);
    }

    /**
     * @param block the one that the request is about, if it is about one
     * @param bound how long to wait, at most the deadline; beyond it the answer is dropped when it comes
     */
    private <T> CompletableFuture<T> call(
            NodeId node, StorageRequest request, @Nullable BlockId block, Duration bound, Function<Frame, T> answer) {
        CompletableFuture<Frame> reply = send(node, request, Unpooled.EMPTY_BUFFER);
        return translated(
                node,
                block,
                bound,
                (bound.compareTo(deadline) < 0 ? reply.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS) : reply)
                        .thenApply(frame -> take(frame, answer)));
    }

    private CompletableFuture<Frame> send(NodeId node, StorageRequest request, ByteBuf body) {
        Optional<NodeAddress> address = addresses.apply(node);
        if (address.isEmpty()) {
            body.release();
            return CompletableFuture.failedFuture(
                    new StorageException.NodeUnreachable(node, "it is not a member of the cluster now"));
        }
        ByteBuf header = FramePool.allocator().buffer();
        request.write(header);
        // Asks alternate with blocks: if they took their turns of the loops, one loop of two would copy all blocks.
        return request instanceof StorageRequest.Ask
                ? client.call(address.get(), request.type(), header, body, deadline)
                : client.callOnNextLoop(address.get(), request.type(), header, body, deadline);
    }

    private static <T> CompletableFuture<T> translated(
            NodeId node, @Nullable BlockId block, Duration bound, CompletableFuture<T> answer) {
        return answer.exceptionallyCompose(failure ->
                CompletableFuture.failedFuture(translate(node, block, bound, StorageException.unwrap(failure))));
    }

    private static <T> T take(Frame frame, Function<Frame, T> answer) {
        try {
            return answer.apply(frame);
        } finally {
            frame.release();
        }
    }

    private static <T extends StorageReply> T expect(Frame frame, Class<T> type) {
        StorageReply reply = StorageReply.read(frame);
        if (!type.isInstance(reply)) {
            throw new CompletionException(
                    new WireException(WireCode.MALFORMED, "an answer that does not fit the request: " + reply));
        }
        return type.cast(reply);
    }

    private static Void done(Frame frame) {
        expect(frame, StorageReply.Done.class);
        return null;
    }

    private static Throwable translate(NodeId node, @Nullable BlockId block, Duration bound, Throwable failure) {
        if (failure instanceof StorageException) {
            return failure;
        }
        if (failure instanceof TimeoutException) {
            return new StorageException.NodeSlow(node, bound);
        }
        if (!(failure instanceof WireException wire)) {
            return new StorageException.NodeFailed(node, failure.toString());
        }
        String reason = Objects.requireNonNullElse(wire.getMessage(), "no reason given");
        return switch (wire.code()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, GARBLED -> new StorageException.NodeUnreachable(node, reason);
            case NO_SPACE -> new StorageException.NoSpace(node, reason);
            case REFUSED -> new StorageException.Fenced(reason);
            case NOT_FOUND ->
                block == null
                        ? new StorageException.NodeFailed(node, reason)
                        : new StorageException.BlockMissing(node, block);
            case CORRUPT ->
                block == null
                        ? new StorageException.NodeFailed(node, reason)
                        : new StorageException.BlockCorrupt(node, block, reason);
            case BUSY, INTERNAL, MALFORMED, TOO_LARGE, UNKNOWN_TYPE, UNSUPPORTED_VERSION ->
                new StorageException.NodeFailed(node, reason);
        };
    }
}
