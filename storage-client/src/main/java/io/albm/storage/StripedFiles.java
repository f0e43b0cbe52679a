// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FramePool;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The striped store without threads: every operation is a chain of futures over the {@link BlockClient} and the
 * {@link FileTable}, and nothing blocks or reads a clock of its own, so that a simulator can turn the whole of it on one
 * thread. {@link StripedStore} is the same for callers who may block. Thread-safe if the random generator is.
 */
public final class StripedFiles {
    private final FileTable table;
    private final NamedFiles named;
    private final BlockClient blocks;
    private final LiveNodes live;
    private final StripeSettings settings;
    private final RandomGenerator random;
    private final StreamMemory memory;
    private final StripeCounters counters;
    private final @Nullable Fence fence;
    /** Null if those who free blocks wait for their removal. */
    private final @Nullable Backlog backlog;

    /**
     * @param random names generations; must not repeat itself between clients, so a seeded one is for simulations only
     */
    public StripedFiles(
            FileTable table, BlockClient blocks, LiveNodes live, StripeSettings settings, RandomGenerator random) {
        this(table, blocks, live, settings, random, FramePool.allocator());
    }

    /** @param allocator of the units and of what is read */
    public StripedFiles(
            FileTable table,
            BlockClient blocks,
            LiveNodes live,
            StripeSettings settings,
            RandomGenerator random,
            ByteBufAllocator allocator) {
        this(table, blocks, live, settings, random, new StreamMemory(allocator), new StripeCounters(), null, null);
    }

    private StripedFiles(
            FileTable table,
            BlockClient blocks,
            LiveNodes live,
            StripeSettings settings,
            RandomGenerator random,
            StreamMemory memory,
            StripeCounters counters,
            @Nullable Fence fence,
            @Nullable Backlog backlog) {
        this.table = table;
        this.named = new NamedFiles(table);
        this.blocks = blocks;
        this.live = live;
        this.settings = settings;
        this.random = random;
        this.memory = memory;
        this.counters = counters;
        this.fence = fence;
        this.backlog = backlog;
    }

    /** The same store for a writer that must stop when a newer one has taken over. */
    public StripedFiles withFence(Fence newFence) {
        return new StripedFiles(table, blocks, live, settings, random, memory, counters, newFence, backlog);
    }

    /**
     * The same store for who need not know at once that names are durable, see {@link FileTable#early}. Nobody waits for the
     * removal of blocks then, nor for the repair of one that could be read all the same, unless there are very many.
     */
    public StripedFiles early() {
        return new StripedFiles(table.early(), blocks, live, settings, random, memory, counters, fence, new Backlog());
    }

    /** The same store for a caller that gives the nodes at most so many bytes per second to read, write and verify. */
    public StripedFiles withRate(long bytesPerSecond) {
        return with(new PacedBlocks(
                blocks,
                new RateLimit(bytesPerSecond),
                MonotonicClock.system(),
                nanos -> CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS))));
    }

    /** The same store for who reaches the I/O nodes in another way. */
    public StripedFiles over(UnaryOperator<BlockClient> way) {
        return with(way.apply(blocks));
    }

    /** The same store for work that can wait. */
    StripedFiles background() {
        return with(blocks.background());
    }

    private StripedFiles with(BlockClient other) {
        return new StripedFiles(table, other, live, settings, random, memory, counters, fence, backlog);
    }

    /**
     * Starts writing a file over the nodes alive now, less {@code avoided}.
     *
     * @param expectedBytes how long it becomes; {@link Long#MAX_VALUE} if nobody knows
     */
    public CompletableFuture<StripedWriter> create(
            StoragePath path, PutMode mode, Set<NodeId> avoided, long expectedBytes) {
        return failIfThere(path, mode).thenCompose(nothing -> begin(path, mode, avoided, expectedBytes));
    }

    private CompletableFuture<StripedWriter> begin(
            StoragePath path, PutMode mode, Set<NodeId> avoided, long expectedBytes) {
        try {
            return CompletableFuture.completedFuture(
                    new StripedWriter(this, segment(avoided, expectedBytes, true), path, mode));
        } catch (StorageException tooFewNodes) {
            return CompletableFuture.failedFuture(tooFewNodes);
        }
    }

    /** Tells a caller early what the commit would tell him after all the work. */
    private CompletableFuture<Void> failIfThere(StoragePath path, PutMode mode) {
        return named.find(path)
                .thenCompose(found -> found.isPresent() && mode == PutMode.CREATE
                        ? CompletableFuture.failedFuture(new StorageException.FileExists(path.value()))
                        : CompletableFuture.completedFuture(null));
    }

    /**
     * Starts writing a segment over the nodes alive now, less {@code avoided}.
     *
     * @param expectedBytes how long it becomes at most; {@link Long#MAX_VALUE} if nobody knows
     * @param isFile whether it becomes a file alone, which the file table takes if it is short
     * @throws StorageException if there are too few nodes
     */
    public SegmentWriter segment(Set<NodeId> avoided, long expectedBytes, boolean isFile) throws StorageException {
        Generation generation = Generation.random(random);
        List<RendezvousPlacement.Candidate> candidates = takersBut(avoided);
        StripeGeometry usual = settings.geometry(candidates, live.parityUnits());
        List<NodeId> nodes = RendezvousPlacement.choose(generation, candidates, usual.width());
        StreamMemory.Written given = memory.begin(usual, expectedBytes);
        return new SegmentWriter(
                this, generation, new StripeLayout(given.geometry(), nodes), given, expectedBytes, isFile);
    }

    /** The nodes that new blocks may go to. */
    List<RendezvousPlacement.Candidate> takers() {
        Set<NodeId> retiring = live.retiring();
        return live.weights().entrySet().stream()
                .filter(node -> !retiring.contains(node.getKey()))
                .map(node ->
                        new RendezvousPlacement.Candidate(node.getKey(), node.getValue(), live.domain(node.getKey())))
                .toList();
    }

    /** Where two nodes of a failure domain are to be avoided, it is lost, most likely: all of it is, if the others suffice. */
    private List<RendezvousPlacement.Candidate> takersBut(Set<NodeId> avoided) {
        List<RendezvousPlacement.Candidate> others = takers().stream()
                .filter(taker -> !avoided.contains(taker.node()))
                .toList();
        Set<FailureDomain> lost = DomainSpread.shared(avoided, live::domain);
        if (lost.isEmpty()) {
            return others;
        }
        List<RendezvousPlacement.Candidate> ofOthers =
                others.stream().filter(taker -> !lost.contains(taker.domain())).toList();
        return ofOthers.size() > settings.parityUnits(live.parityUnits()) ? ofOthers : others;
    }

    /** Opens a file as it is now. A reader goes on with the generation it was opened on. */
    public CompletableFuture<StripedReader> open(StoragePath path) {
        return named.find(path)
                .thenCompose(found -> found.map(file -> CompletableFuture.completedFuture(reader(file)))
                        .orElseGet(
                                () -> CompletableFuture.failedFuture(new StorageException.NoSuchFile(path.value()))));
    }

    /** Reads the content that a regular file had when {@code inode} was answered. */
    public StripedReader reader(Inode inode) {
        return reader(FileInfo.of("inode " + inode.number(), inode));
    }

    StripedReader reader(FileInfo file) {
        return new StripedReader(this, file);
    }

    public CompletableFuture<Optional<FileInfo>> stat(StoragePath path) {
        return named.find(path);
    }

    /** The files whose path starts with {@code prefix} (with its leading slash), by path. */
    public CompletableFuture<List<FileInfo>> list(String prefix) {
        return named.list(prefix);
    }

    /** Takes a file away and then removes its blocks; what a node keeps because it is away, the scrub removes. */
    public CompletableFuture<FileInfo> delete(StoragePath path) {
        return NamedFiles.named(path.value(), table.ask(new TableCommand.Remove(path.value(), fence)))
                .thenCompose(removed ->
                        free(removed.freed()).thenApply(nothing -> FileInfo.of(path.value(), removed.inode())));
    }

    /**
     * Gives a file or directory another path; a directory that has that path takes it in.
     *
     * @param mode what becomes of a file, or an empty directory, that is in the way
     * @return where it is now
     */
    public CompletableFuture<StoragePath> rename(StoragePath from, StoragePath to, PutMode mode) {
        return changes()
                .rename(from, to, mode)
                .thenCompose(renamed -> free(renamed.freed()).thenApply(nothing -> renamed.path()));
    }

    /** Makes a directory; with {@code parents} those above it, too, and it may be there already. */
    public CompletableFuture<Void> makeDirectory(StoragePath path, boolean parents) {
        return parents ? changes().makeDirectories(path) : changes().makeDirectory(path);
    }

    /** Removes an empty directory. */
    public CompletableFuture<Void> removeDirectory(StoragePath path) {
        return changes().removeDirectory(path);
    }

    private PathChanges changes() {
        return new PathChanges(table);
    }

    /** Changes a file without new bytes, and removes the blocks of what it does not need any more. */
    public CompletableFuture<Inode> change(TableCommand.Change change) {
        return table.ask(change).thenCompose(changed -> free(changed.freed()).thenApply(nothing -> changed.inode()));
    }

    /**
     * Removes the blocks of segments that the table has freed, when that is durable: before, the loss of all nodes may bring
     * back a file that needs them. Never fails: what is not removed, the scrub of its node removes.
     */
    public CompletableFuture<Void> free(List<Segment> segments) {
        if (segments.stream().allMatch(Segment::isInline)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> removed = table.sync()
                .thenCompose(nothing -> Removal.of(blocks, segments, fence))
                .exceptionally(leftToTheScrub -> null);
        return inBackground(removed);
    }

    /** Work that must not fail. Completes with it, or at once for who waits for no removals, see {@link #early}. */
    CompletableFuture<Void> inBackground(CompletableFuture<Void> work) {
        return backlog == null ? work : backlog.add(work);
    }

    /** Waits until all that was answered is durable, and what it has freed is removed, and nobody waits for this client. */
    public CompletableFuture<Void> finish() {
        return table.sync()
                .thenCompose(nothing -> backlog == null ? CompletableFuture.completedFuture(null) : backlog.all())
                .thenCompose(nothing -> table.leave());
    }

    /** Asks all live nodes for their room. */
    public CompletableFuture<SpaceInfo> space() {
        List<NodeId> nodes = List.copyOf(live.weights().keySet());
        Map<NodeId, Optional<NodeSpace>> answers = new ConcurrentSkipListMap<>();
        return Lanes.run(nodes.size(), nodes.size(), index -> space(nodes.get((int) index), answers))
                .thenApply(nothing -> spaceInfo(answers));
    }

    /** The storage nodes, by name: all members, and those that were retired and have left. */
    public CompletableFuture<List<NodeInfo>> nodes() {
        return space().thenApply(space -> {
            Map<NodeId, NodeInfo> nodes = new TreeMap<>();
            Set<NodeId> retiring = live.retiring();
            retiring.forEach(node -> nodes.put(node, new NodeInfo(node, NodeInfo.State.RETIRED, null, null)));
            space.nodes()
                    .forEach((node, room) -> nodes.put(
                            node,
                            new NodeInfo(
                                    node,
                                    retiring.contains(node) ? NodeInfo.State.RETIRING : NodeInfo.State.SERVING,
                                    live.domain(node),
                                    room)));
            space.unreachable()
                    .forEach(node ->
                            nodes.put(node, new NodeInfo(node, NodeInfo.State.SILENT, live.domain(node), null)));
            return List.copyOf(nodes.values());
        });
    }

    private CompletableFuture<Void> space(NodeId node, Map<NodeId, Optional<NodeSpace>> answers) {
        return blocks.space(node)
                .handle((space, failure) -> Optional.ofNullable(space))
                .thenAccept(answer -> answers.put(node, answer));
    }

    private static SpaceInfo spaceInfo(Map<NodeId, Optional<NodeSpace>> answers) {
        Map<NodeId, NodeSpace> known = new TreeMap<>();
        answers.forEach((node, answer) -> answer.ifPresent(space -> known.put(node, space)));
        return new SpaceInfo(
                known,
                answers.keySet().stream()
                        .filter(node -> !known.containsKey(node))
                        .toList());
    }

    /**
     * Checks every block that should be on {@code nodes} where it lies, makes missing and corrupt ones again, and removes
     * what nobody needs.
     */
    public CompletableFuture<ScrubReport> scrub(Set<NodeId> nodes, ScrubProgress.Listener listener) {
        return Scrub.run(background(), nodes, listener);
    }

    /** Removes from a node what no file and no write under way needs. @return the number of generations removed */
    public CompletableFuture<Long> sweep(NodeId node) {
        ScrubTally tally = new ScrubTally(new ScrubMeter(0, progress -> {}));
        return new OrphanSweep(this, node, tally).run().thenApply(nothing -> tally.orphans.sum());
    }

    /** What the redundancy had to do for this store and those made from it. */
    public StripeCounters counters() {
        return counters;
    }

    /** The names of the files. */
    public FileTable table() {
        return table;
    }

    NamedFiles named() {
        return named;
    }

    BlockClient blocks() {
        return blocks;
    }

    LiveNodes live() {
        return live;
    }

    StripeSettings settings() {
        return settings;
    }

    RandomGenerator random() {
        return random;
    }

    /** What its streams share. */
    public StreamMemory memory() {
        return memory;
    }

    ByteBufAllocator allocator() {
        return memory.allocator();
    }

    @Nullable
    Fence fence() {
        return fence;
    }
}
