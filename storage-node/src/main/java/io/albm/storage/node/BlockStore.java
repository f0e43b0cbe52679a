// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Fence;
import io.albm.storage.Generation;
import io.albm.storage.GenerationPage;
import io.albm.storage.NodeSpace;
import io.albm.storage.PartHeader;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one I/O node, one file each, and the promises that the striped store is built on.
 *
 * <p><b>A block is whole or absent.</b> Its bytes go to a temporary file, which is made durable and only then gets its
 * name, in one step. What a crash leaves behind is a temporary file, which the next start removes. Blocks never change,
 * but for a repair that puts the same content in the place of a spoilt file.
 *
 * <p><b>A sealed generation survives power loss.</b> A new block is answered for, and can be read, before that is done
 * ({@link UnsettledBlocks}). {@link #seal} waits for it, makes the names durable, which costs an fsync of their directory, and counts
 * the blocks, and the writer compares the count with what it wrote. A node that crashed in between may have lost blocks, which the count tells.
 *
 * <p><b>A full disk is said, not felt.</b> A block is admitted only if it fits the capacity and leaves the reserve free;
 * what is refused or fails leaves nothing behind, and nothing stored before is touched. A writer that knows how much it will write has
 * that much set aside before ({@link Room}).
 *
 * <pre>
 * blocks/&lt;generation&gt;/&lt;stripe&gt;-&lt;unit&gt;   see {@link BlockFormat}
 * tmp/                                   files without a name yet, and {@link SpareFiles}
 * fences/&lt;scope&gt;                         see {@link Fences}
 * </pre>
 *
 * <p>Thread-safe; calls block on the disk. Costs: a write is one file with one fsync, not waited for, and one rename, into a file of a removed block if
 * there is one; a read opens one file, for what is asked of it.
 */
public final class BlockStore {
    static final String TEMPORARY = "tmp";
    static final String BLOCKS = "blocks";
    private static final int TURNS = 256;

    private final BlockDisk disk;
    private final Fences fences;
    private final Room room;
    private final ByteBufAllocator allocator;
    private final AtomicLong temporaries = new AtomicLong();
    private final UnsettledBlocks unsettled;
    private final @Nullable ChunkCache cache;
    private final BlockReads reads = new BlockReads();
    private final SpareFiles spares;
    private final Listings listings = new Listings(ThreadLocalRandom.current().nextLong(1L << 62));
    private final Object[] turns = Stream.generate(Object::new).limit(TURNS).toArray();

    /**
     * Opens a store and removes what a crash left unfinished.
     *
     * @param capacity bytes that all files may take
     * @param reserve bytes of the disk that are kept free
     * @param settler makes blocks durable that were answered for; what it refuses, the writer waits for
     */
    public BlockStore(BlockDisk disk, long capacity, long reserve, Executor settler) throws IOException {
        this(disk, capacity, reserve, settler, null, SpareFiles.DEFAULT_BYTES);
    }

    /**
     * @param cache keeps what is read; null for none
     * @param spareBytes of {@link SpareFiles}, at most
     */
    BlockStore(
            BlockDisk disk, long capacity, long reserve, Executor settler, @Nullable ChunkCache cache, long spareBytes)
            throws IOException {
        this.disk = disk;
        this.cache = cache;
        this.spares = new SpareFiles(disk, reads, this::temporary, spareBytes);
        this.unsettled = new UnsettledBlocks(new Settling(), settler);
        this.room = new Room(capacity, reserve);
        this.allocator = ByteBufAllocator.DEFAULT;
        disk.deleteDirectory(TEMPORARY);
        this.fences = new Fences(disk);
        for (String generation : disk.directories(BLOCKS)) {
            for (BlockDisk.Entry file : disk.files(BLOCKS + "/" + generation)) {
                room.account(1, file.bytes());
            }
        }
    }

    /**
     * Stores a block. A new one is durable after {@link #seal}; the content of a repaired one is on return. The body stays the
     * caller's.
     */
    public void write(BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) throws IOException {
        admit(fence);
        BlockId id = header.id();
        if (!header.matches(body)) {
            throw new CorruptBlockException(id, "it arrived with other content than its header says");
        }
        if (mode == WriteMode.NEW && isStored(header)) {
            return;
        }
        long bytes = BlockFormat.headBytes(header.length()) + (long) header.length();
        long usable = spares.usableBytes();
        room.take(id.generation(), bytes, size(id).orElse(0), usable);
        UnsettledBlocks.Block block = writeFile(header, body, bytes, usable);
        if (mode == WriteMode.NEW) {
            unsettled.add(block);
        } else {
            settle(block);
            forget(id);
        }
    }

    private void forget(BlockId id) {
        if (cache != null) {
            cache.forget(id);
        }
    }

    private boolean isStored(BlockHeader header) throws IOException {
        BlockId id = header.id();
        Optional<BlockHeader> stored = unsettled.header(id);
        if (stored.isEmpty() && size(id).isPresent()) {
            stored = Optional.of(verify(id));
        }
        if (stored.isPresent() && !stored.get().equals(header)) {
            throw new IOException("block " + id + " is here already with other content");
        }
        return stored.isPresent();
    }

    private UnsettledBlocks.Block writeFile(BlockHeader header, ByteBuf body, long bytes, long usable)
            throws IOException {
        String temporary = fileOf(bytes, usable);
        ByteBuf head = BlockFormat.head(header, allocator);
        try {
            return new UnsettledBlocks.Block(header, temporary, disk.write(temporary, head, body), bytes);
        } catch (IOException | RuntimeException failure) {
            throw giveUp(temporary, bytes, failure);
        } finally {
            head.release();
        }
    }

    private String fileOf(long bytes, long usable) {
        String spare = spares.take(bytes);
        spares.leave(room.beside(usable - bytes));
        return spare == null ? temporary() : spare;
    }

    private String temporary() {
        return TEMPORARY + "/" + temporaries.incrementAndGet();
    }

    private void settle(UnsettledBlocks.Block block) throws IOException {
        try (BlockDisk.Written file = block.file()) {
            file.sync();
            name(block.temporary(), block.header().id());
        } catch (IOException | RuntimeException failure) {
            throw giveUp(block.temporary(), block.bytes(), failure);
        }
    }

    private final class Settling implements UnsettledBlocks.Settling {
        @Override
        public void settle(UnsettledBlocks.Block block) throws IOException {
            try {
                BlockStore.this.settle(block);
            } catch (IOException failure) {
                forget(block.header().id());
                throw failure;
            }
        }

        @Override
        public void giveUp(UnsettledBlocks.Block block) throws IOException {
            block.file().close();
            drop(block.temporary(), block.bytes());
        }
    }

    private IOException giveUp(String temporary, long bytes, Exception failure) throws IOException {
        drop(temporary, bytes);
        return spaceOr(failure, bytes);
    }

    private void drop(String temporary, long bytes) throws IOException {
        room.account(0, -bytes);
        disk.delete(temporary);
    }

    private void name(String temporary, BlockId id) throws IOException {
        synchronized (turn(id.generation())) {
            OptionalLong old = size(id);
            disk.rename(temporary, file(id));
            room.account(old.isPresent() ? 0 : 1, -old.orElse(0));
        }
    }

    /** Held while names of a generation come or go, or are to: others may repair the same block meanwhile, or remove it. */
    private Object turn(Generation generation) {
        return turns[Math.floorMod(generation.hashCode(), turns.length)];
    }

    /** A write that failed because others filled the disk meanwhile says so. */
    private IOException spaceOr(Exception failure, long bytes) throws IOException {
        if (disk.usableBytes() < bytes) {
            return new NoSpaceException("the disk was full before " + bytes + " bytes were written");
        }
        return failure instanceof IOException io ? io : new IOException(failure);
    }

    /**
     * Reads the chunks that hold a range of a block's body. The head is checked, the chunks are not: the reader does, end to
     * end. The caller releases the body.
     */
    StoredPart read(BlockId id, int from, int length) throws IOException {
        return cache == null ? readFromDisk(id, from, length) : cache.read(id, from, length, this::load);
    }

    private ChunkCache.Loaded load(BlockId id, int first, int count) throws IOException {
        try (BlockFile file = open(id)) {
            BlockHeader header = BlockFormat.readHead(file, id, allocator);
            int start = first * ChunkChecksums.CHUNK_BYTES;
            PartHeader part = part(header, start, (count - 1) * ChunkChecksums.CHUNK_BYTES + 1);
            long position = BlockFormat.headBytes(header.length()) + (long) start;
            return new ChunkCache.Loaded(header, file.read(position, part.bytes(), allocator));
        }
    }

    /** As {@link #read}, past what is kept in memory. */
    StoredPart readFromDisk(BlockId id, int from, int length) throws IOException {
        BlockFile file = open(id);
        try {
            BlockHeader header = BlockFormat.readHead(file, id, allocator);
            PartHeader part = part(header, from, length);
            long position = BlockFormat.headBytes(header.length()) + (long) part.start();
            return new StoredPart(part, file.send(position, part.bytes(), allocator));
        } catch (IOException | RuntimeException | Error failure) {
            file.close();
            throw failure;
        }
    }

    private BlockFile open(BlockId id) throws IOException {
        Runnable closed = reads.begin(file(id));
        try {
            return new StoredBlockFile(id, openFile(id, closed));
        } catch (IOException | RuntimeException | Error failure) {
            closed.run();
            throw failure;
        }
    }

    private BlockFile openFile(BlockId id, Runnable closed) throws IOException {
        String temporary = unsettled.temporary(id);
        if (temporary != null) {
            try {
                return disk.open(temporary, closed);
            } catch (NoSuchFileException settledMeanwhile) {
                return disk.open(file(id), closed);
            }
        }
        return disk.open(file(id), closed);
    }

    /** What there is to know of the chunks that hold a range, if the block has it. */
    static PartHeader part(BlockHeader header, int from, int length) throws CorruptBlockException {
        try {
            return header.part(from, length);
        } catch (IllegalArgumentException beyond) {
            throw new CorruptBlockException(header.id(), String.valueOf(beyond.getMessage()));
        }
    }

    /** Reads a block and checks all of it. */
    public BlockHeader verify(BlockId id) throws IOException {
        try (BlockFile file = open(id)) {
            return BlockFormat.verify(file, id, allocator);
        }
    }

    /**
     * Sets room aside for blocks of a generation, until it is sealed or removed: they will not be refused for lack of it.
     *
     * @param blocks how many
     * @param bytes of all their bodies
     */
    void setAside(Generation generation, long blocks, long bytes, @Nullable Fence fence) throws IOException {
        admit(fence);
        room.setAside(generation, blocks, bytes, spares.usableBytes());
    }

    /** Makes the generation's blocks and their names durable and counts them. */
    public long seal(Generation generation, @Nullable Fence fence) throws IOException {
        admit(fence);
        synchronized (turn(generation)) {
            listings.seal(generation);
        }
        unsettled.settle(generation);
        disk.syncDirectory(directory(generation));
        room.giveBack(generation);
        return disk.files(directory(generation)).size();
    }

    /** Removes all blocks of the generation. */
    public void remove(Generation generation, @Nullable Fence fence) throws IOException {
        admit(fence);
        try {
            unsettled.giveUp(generation);
            room.giveBack(generation);
            synchronized (turn(generation)) {
                delete(generation);
            }
        } finally {
            forget(generation);
        }
    }

    private void forget(Generation generation) {
        if (cache != null) {
            cache.forget(generation);
        }
    }

    private void delete(Generation generation) throws IOException {
        List<BlockDisk.Entry> files = disk.files(directory(generation));
        spares.keep(directory(generation), files);
        disk.deleteDirectory(directory(generation));
        room.account(
                -files.size(), -files.stream().mapToLong(BlockDisk.Entry::bytes).sum());
        spares.leave(room.beside(spares.usableBytes()));
    }

    /**
     * Removes all blocks of the generation, unless it was sealed since a listing.
     *
     * @param listing {@link GenerationPage#listing} of the page that it was on
     * @return how many blocks are left
     */
    public long sweep(Generation generation, long listing) throws IOException {
        try {
            if (listings.isAsListed(generation, listing)) {
                unsettled.giveUp(generation);
                room.giveBack(generation);
            }
            synchronized (turn(generation)) {
                if (listings.isAsListed(generation, listing)) {
                    delete(generation);
                }
                return disk.files(directory(generation)).size();
            }
        } finally {
            forget(generation);
        }
    }

    /** Makes all blocks durable that were answered for. */
    void settle() {
        unsettled.settle();
    }

    /** The generations after {@code after} that have blocks here, or room set aside, in order, a page of them. */
    public GenerationPage generations(@Nullable Generation after) throws IOException {
        long listing = listings.begin();
        List<Generation> rest = Stream.concat(
                        disk.directories(BLOCKS).stream().map(Generation::parse), room.generations().stream())
                .filter(generation -> after == null || generation.compareTo(after) > 0)
                .sorted()
                .distinct()
                .toList();
        boolean more = rest.size() > GenerationPage.MAX_SIZE;
        return new GenerationPage(more ? rest.subList(0, GenerationPage.MAX_SIZE) : rest, more, listing);
    }

    public NodeSpace space() throws IOException {
        return room.space(spares.usableBytes());
    }

    /** Bytes of {@link SpareFiles}. */
    long spareBytes() {
        return spares.bytes();
    }

    /** Lets a request through, or fails if its fence was raised beyond it. */
    void admit(@Nullable Fence fence) throws IOException {
        if (fence != null) {
            fences.admit(fence);
        }
    }

    private OptionalLong size(BlockId id) throws IOException {
        return disk.bytes(file(id));
    }

    private static String directory(Generation generation) {
        return BLOCKS + "/" + generation;
    }

    private static String file(BlockId id) {
        return directory(id.generation()) + "/" + id.stripe() + "-" + id.unit();
    }
}
