// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One segment on its way into the store. The caller appends bytes, each time after the future of the time before
 * has completed, and then either commits or aborts: one call at a time, from any thread, but for {@link #giveUp}. A unit leaves as soon
 * as it is full. Units of at most {@link StripeSettings#stripesInFlight} stripes are on their way, and of those that find no
 * {@link StreamMemory} only one, with the parity behind it.
 *
 * <p>The order of steps is what makes a write safe. Blocks go to their nodes, which answer when they have them;
 * then every node makes them and their names durable and counts them ({@link BlockClient#seal}), which tells a node that crashed
 * and came back in between; then, and only then, one commit makes it part of a file. A node lost on the way fails the write, and
 * nothing of it is ever seen. A file of at most {@link InlineBytes#MOST} bytes takes the commit alone, which brings them
 * to the file table, unless that has no room for them.
 */
public final class SegmentWriter {
    /** Bytes of a segment for which the nodes are asked to set room aside: one more round trip is nothing beside them. */
    static final long LEAST_SET_ASIDE = 64 << 20;

    private final StripedFiles files;
    private final BlockClient blocks;
    private final FileTable table;
    private final @Nullable Fence fence;
    private final Generation generation;
    private final StreamMemory memory;
    private final StreamMemory.Written given;
    private final int unitsInFlight;
    private final long expectedBytes;
    private final boolean isFile;
    private StripeEncoder encoder;
    private final ArrayDeque<CompletableFuture<Void>> inFlight = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    /** Null until the first block is sent. */
    private volatile @Nullable CompletableFuture<TableAnswer.Done> announced;

    private @Nullable CompletableFuture<TableAnswer.Cancelled> cancelled;
    private volatile boolean givenUp;

    /** What is not sent to nodes. */
    private @Nullable InlineBytes inline;

    private StripeLayout layout;
    private long stripe;
    private long length;
    private boolean complete;
    private boolean durable;

    /**
     * @param given what it gives back when it has ended; its geometry is that of {@code layout}
     * @param expectedBytes how long it becomes at most; {@link Long#MAX_VALUE} if nobody knows
     * @param isFile whether it becomes a file alone
     */
    SegmentWriter(
            StripedFiles files,
            Generation generation,
            StripeLayout layout,
            StreamMemory.Written given,
            long expectedBytes,
            boolean isFile) {
        this.files = files;
        this.blocks = files.blocks();
        this.table = files.table();
        this.fence = files.fence();
        this.memory = files.memory();
        this.given = given;
        this.unitsInFlight =
                files.settings().stripesInFlight() * layout.geometry().width();
        this.encoder = new StripeEncoder(layout.geometry(), memory.allocator());
        this.generation = generation;
        this.layout = layout;
        this.expectedBytes = expectedBytes;
        this.isFile = isFile;
    }

    /** What extents call the segment. */
    public String generation() {
        return generation.toString();
    }

    /** Bytes that were appended by now. */
    public long length() {
        return length;
    }

    /** The nodes that the segment will lie on; known when more than a unit was appended, fewer or none if it is shorter. */
    public List<NodeId> nodes() {
        return layout.nodes();
    }

    /**
     * Takes bytes from a source, moving its position, until it is empty or what is on its way is as much as there may be.
     *
     * @return completes when there is room for more; fails if a write has failed, after which only {@link #end} and
     *     {@link #abort} make sense
     * @throws IllegalStateException if it was made durable, or ended
     */
    public CompletableFuture<Void> append(ByteBuffer source) {
        if (complete) {
            throw new IllegalStateException("segment " + generation + " is complete");
        }
        while (source.hasRemaining()) {
            // A first unit stays until more comes: alone it is copied, and not part of a stripe.
            if (encoder.isUnitFull()
                    || (appended(source) && length > layout.geometry().unitBytes())) {
                CompletableFuture<Void> room = send();
                if (!room.isDone() || room.isCompletedExceptionally()) {
                    return room;
                }
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** @return whether the unit is full now */
    private boolean appended(ByteBuffer source) {
        ByteBuffer part = encoder.write(source);
        length += part.remaining();
        crc.update(part);
        return encoder.isUnitFull();
    }

    /** Sends the unit, and the parity if it was the last one of a stripe. @return completes when there is room for more */
    private CompletableFuture<Void> send() {
        List<CompletableFuture<Void>> beyond = new ArrayList<>();
        send(encoder.taken(), encoder.take(), beyond);
        if (encoder.taken() == layout.geometry().dataUnits()) {
            sendParity(beyond);
        }
        inFlight.removeIf(write -> write.isDone() && !write.isCompletedExceptionally());
        // What is written on without one node must not go on until another one is lost, too.
        inFlight.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(beyond::add);
        inFlight.stream()
                .limit(Math.max(0, inFlight.size() - unitsInFlight + 1))
                .forEach(beyond::add);
        return all(beyond);
    }

    private void sendParity(List<CompletableFuture<Void>> beyond) {
        int unit = layout.geometry().dataUnits();
        for (ByteBuf parity : encoder.takeParity()) {
            send(unit++, parity, beyond);
        }
        stripe++;
    }

    /** @param beyond takes the write if there is no memory for it */
    private void send(int unit, ByteBuf body, List<CompletableFuture<Void>> beyond) {
        int bytes = body.readableBytes();
        boolean taken = memory.take(bytes);
        CompletableFuture<Void> write = write(unit, body);
        inFlight.add(write);
        if (taken) {
            write.whenComplete((nothing, failure) -> memory.give(bytes));
        } else {
            beyond.add(write);
        }
    }

    private CompletableFuture<Void> write(int unit, ByteBuf body) {
        try {
            BlockHeader header = BlockHeader.of(new BlockId(generation, stripe, unit), body);
            NodeId node = layout.nodeOf(stripe, unit);
            return announced()
                    .handle((done, failure) -> failure)
                    .thenCompose(failure -> write(node, header, body, failure));
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private CompletableFuture<Void> write(NodeId node, BlockHeader header, ByteBuf body, @Nullable Throwable refused) {
        if (refused != null) {
            body.release();
            return CompletableFuture.failedFuture(refused);
        }
        return blocks.write(node, header, WriteMode.NEW, fence, body);
    }

    private CompletableFuture<TableAnswer.Done> announced() {
        if (announced == null) {
            announced = table.ask(new TableCommand.Begin(generation.toString()))
                    .thenCompose(done -> setAside().thenApply(nothing -> done));
        }
        return announced;
    }

    /** What is long is not begun where there is no room for it. Only after the announcement, or it would be swept away. */
    private CompletableFuture<Void> setAside() {
        long bytes = complete ? length : expectedBytes;
        return bytes < LEAST_SET_ASIDE || bytes == Long.MAX_VALUE
                ? CompletableFuture.completedFuture(null)
                : all(layout.nodes().stream()
                        .map(node -> blocks.setAside(
                                node, generation, layout.blocksOn(node, bytes), layout.bytesOn(node, bytes), fence))
                        .toList());
    }

    private static CompletableFuture<Void> all(Collection<CompletableFuture<Void>> writes) {
        return CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new));
    }

    /** Sends what is left, or keeps all for the file table. */
    private void complete() {
        if (complete) {
            return;
        }
        complete = true;
        if (isFile && length > 0 && length <= InlineBytes.MOST) {
            inline = encoder.takeInline();
            encoder.release();
        } else {
            sendRest();
        }
    }

    private void sendRest() {
        if (stripe == 0 && encoder.taken() == 0 && !encoder.isEmpty()) {
            layout = layout.copied(files.live()::domain);
        }
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        if (!encoder.isEmpty()) {
            send(encoder.taken(), encoder.take(), sent);
        }
        if (encoder.taken() > 0) {
            sendParity(sent);
        }
        encoder.release();
    }

    /**
     * Makes durable what was appended, on all nodes. Nothing can be appended any more.
     *
     * @return fails if a write has failed, and leaves there what was written: {@link #sent} can be read then
     */
    public CompletableFuture<Void> settle() {
        complete();
        return all(inFlight)
                .thenCompose(nothing -> inline == null ? seal() : CompletableFuture.completedFuture(null))
                .thenRun(() -> durable = true);
    }

    /** Sends what is left and waits for the end of all writes, whether they failed or not. Nothing can be appended any more. */
    public CompletableFuture<Void> end() {
        complete();
        return ended();
    }

    private CompletableFuture<Void> ended() {
        return all(inFlight).handle((nothing, failure) -> null);
    }

    /** Reads what was appended, as soon as that has {@linkplain #end ended}. */
    public StripedReader sent() {
        return files.reader(
                new FileInfo("segment " + generation, 0, Content.of(segment(), Content.UNKNOWN), Instant.EPOCH));
    }

    private Segment segment() {
        return inline != null
                ? Segment.ofInline(generation.toString(), inline)
                : new Segment(generation.toString(), length, layout.geometry(), layout.nodes());
    }

    /**
     * Makes the segment durable, and then part of a file.
     *
     * @param change what to do with the segment and its checksum
     * @return the file as it is now. After a failure the file is as it was and the blocks are removed as far as the nodes
     *     can be reached, except after {@link StorageException.OutcomeUnknown}, when the file may be changed
     */
    public CompletableFuture<Inode> commit(BiFunction<Segment, Long, TableCommand.Change> change) {
        return publish((segment, crc32c) -> table.ask(change.apply(segment, crc32c)));
    }

    CompletableFuture<Inode> publish(BiFunction<Segment, Long, CompletableFuture<TableAnswer.Published>> commit) {
        CompletableFuture<Void> settled = durable ? CompletableFuture.completedFuture(null) : settle();
        return settled.thenCompose(nothing -> unlessGivenUp(commit))
                .exceptionallyCompose(failure -> inline != null && isFull(StorageException.unwrap(failure))
                        ? sendInline().thenCompose(nothing -> unlessGivenUp(commit))
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(published -> files.free(published.freed()).thenApply(nothing -> published.inode()))
                .exceptionallyCompose(failure -> abandon(StorageException.unwrap(failure)))
                .whenComplete((inode, failure) -> memory.end(given));
    }

    private CompletableFuture<TableAnswer.Published> unlessGivenUp(
            BiFunction<Segment, Long, CompletableFuture<TableAnswer.Published>> commit) {
        return givenUp
                ? CompletableFuture.failedFuture(new CancellationException("segment " + generation + " is given up"))
                : commit.apply(segment(), crc.getValue());
    }

    private static boolean isFull(Throwable failure) {
        return failure instanceof TableRefusal refusal && refusal.reason() == TableRefusal.Reason.NO_ROOM;
    }

    /** Sends to the nodes what the file table has no room for. */
    private CompletableFuture<Void> sendInline() {
        encoder = new StripeEncoder(layout.geometry(), memory.allocator());
        encoder.write(ByteBuffer.wrap(Objects.requireNonNull(inline).toArray()));
        inline = null;
        sendRest();
        return all(inFlight).thenCompose(nothing -> seal());
    }

    /** Gives the segment up and removes what was written of it, as far as the nodes can be reached. */
    public CompletableFuture<Void> abort() {
        if (!complete) {
            complete = true;
            encoder.release();
        }
        return ended().thenCompose(nothing -> discard(null)).whenComplete((nothing, failure) -> memory.end(given));
    }

    /**
     * Lets a {@link #commit} fail that nobody waits for any more: late, it would come over what was stored since. It removes the
     * blocks itself when it fails.
     *
     * @return completes when the segment cannot become part of a file any more, if the table can be reached. One that is inline
     *     still can if its commit was sent: it has no announcement to take back
     */
    public CompletableFuture<Void> giveUp() {
        givenUp = true;
        CompletableFuture<TableAnswer.Done> begun = announced;
        // No commit is sent before it is announced, nor after that without a look at whether it is given up.
        return begun == null || !begun.isDone()
                ? CompletableFuture.completedFuture(null)
                : cancel().handle((taken, unreachable) -> null);
    }

    /** What has no bytes is announced, too, by now. */
    private CompletableFuture<Void> seal() {
        return announced()
                .thenCompose(
                        nothing -> all(layout.nodes().stream().map(this::seal).toList()));
    }

    private CompletableFuture<Void> seal(NodeId node) {
        long expected = layout.blocksOn(node, length);
        return blocks.seal(node, generation, fence)
                .thenCompose(found -> found >= expected
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new StorageException.NodeFailed(
                                node,
                                "it holds " + found + " of " + expected + " blocks of generation " + generation)));
    }

    private CompletableFuture<Inode> abandon(Throwable failure) {
        return failure instanceof StorageException.OutcomeUnknown
                ? CompletableFuture.failedFuture(failure)
                : discard(culprit(failure)).thenCompose(nothing -> CompletableFuture.failedFuture(failure));
    }

    private static @Nullable NodeId culprit(Throwable failure) {
        return failure instanceof StorageException storage ? storage.node().orElse(null) : null;
    }

    /**
     * The announcement goes first: only without it is it sure that no late commit needs the blocks.
     *
     * @param culprit a node that has failed, and may need its deadline for this, too, while somebody waits to write elsewhere
     */
    private CompletableFuture<Void> discard(@Nullable NodeId culprit) {
        if (announced == null) {
            return CompletableFuture.completedFuture(null);
        }
        return cancel().thenCompose(
                        taken -> taken.announced() ? remove(culprit) : CompletableFuture.<Void>completedFuture(null))
                .exceptionally(leftToTheScrub -> null);
    }

    private CompletableFuture<Void> remove(@Nullable NodeId culprit) {
        return CompletableFuture.allOf(
                remove(node -> !node.equals(culprit)), files.inBackground(remove(node -> node.equals(culprit))));
    }

    private CompletableFuture<Void> remove(Predicate<NodeId> which) {
        return Removal.of(blocks, layout.nodes().stream().filter(which).toList(), generation, fence);
    }

    /** Until it is answered: asked again, the table could not tell a commit that came first from an earlier cancel. */
    private synchronized CompletableFuture<TableAnswer.Cancelled> cancel() {
        if (cancelled == null || cancelled.isCompletedExceptionally()) {
            cancelled = table.ask(new TableCommand.Cancel(generation.toString()));
        }
        return cancelled;
    }
}
