// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Generation;
import io.albm.storage.PartHeader;
import io.albm.storage.StripedStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Chunks of blocks that were read, in memory outside of the heap, where the kernel keeps none.
 *
 * <p><b>What it gives is right.</b> A chunk is kept only if it matches its checksum. Blocks never change; when one is repaired or
 * removed, its chunks go after the disk has changed, and what was being read meanwhile is not kept.
 *
 * <p><b>A chunk is read once</b> however many ask for it: who comes while it is on its way waits for the one who reads it.
 *
 * <p><b>Bound</b>: what is kept, with {@value #OVERHEAD} bytes for the heap's part of each chunk, weighs the capacity at most;
 * {@link S3Fifo} chooses what goes. A chunk that went stays in memory until the last answer with it has left.
 *
 * <p>Thread-safe. A call blocks on the disk, and while another one reads what it needs.
 */
final class ChunkCache implements AutoCloseable {
    /** Keys, maps and buffer objects of a chunk, and what is remembered when it went. */
    static final int OVERHEAD = 512;

    private final ByteBufAllocator allocator;
    private final LongAdder hits;
    private final LongAdder misses;
    private final S3Fifo<Key, Chunk> kept;
    private final Map<Generation, Set<Key>> keptOf = new HashMap<>();
    private final Map<Key, Loading> loading = new HashMap<>();
    private boolean closed;

    /**
     * @param capacity in bytes
     * @param hits counts chunks that were there or on their way
     * @param misses counts chunks that were read for who asked
     */
    ChunkCache(long capacity, ByteBufAllocator allocator, LongAdder hits, LongAdder misses) {
        this.allocator = allocator;
        this.hits = hits;
        this.misses = misses;
        int chunks = Math.toIntExact(Math.min(Integer.MAX_VALUE, capacity / ChunkChecksums.CHUNK_BYTES));
        this.kept = new S3Fifo<>(capacity, chunks, this::release);
    }

    /** Where chunks come from. */
    @FunctionalInterface
    interface Disk {
        /** Reads {@code count} chunks of a block from one on; fails unless it has them all. The caller releases the body. */
        Loaded load(BlockId id, int first, int count) throws IOException;
    }

    /** Chunks as they were read, not checked. */
    record Loaded(BlockHeader header, ByteBuf body) {}

    private record Key(BlockId id, int number) {}

    private record Chunk(BlockHeader header, ByteBuf bytes) {
        private boolean isRight(int number) {
            return header.checksums().part(number, 1).match(bytes);
        }

        private long weight() {
            return bytes.capacity()
                    + OVERHEAD
                    + (long) Integer.BYTES * header.checksums().count();
        }
    }

    /** A chunk that is on its way, or here. Each reader gets a reference of its bytes. */
    private static final class Loading {
        private final CompletableFuture<Chunk> chunk = new CompletableFuture<>();
        private int readers = 1;
    }

    /** A chunk that a call needs, and whether it has to read it. */
    private record Claim(Key key, Loading loading, boolean isMine) {
        private void release() {
            loading.chunk.join().bytes().release();
        }
    }

    /** Reads the chunks that hold a range of a block's body. The caller releases the body. */
    StoredPart read(BlockId id, int from, int length, Disk disk) throws IOException {
        int first = from / ChunkChecksums.CHUNK_BYTES;
        List<Claim> claims = claim(id, first, ChunkChecksums.count(from + length) - first);
        for (int start = 0, end; start < claims.size(); start = end + 1) {
            end = start;
            while (end < claims.size() && claims.get(end).isMine()) {
                end++;
            }
            if (end > start) {
                load(id, claims.subList(start, end), disk);
            }
        }
        await(claims);
        return part(claims, from, length);
    }

    private synchronized List<Claim> claim(BlockId id, int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(number -> claim(new Key(id, number)))
                .toList();
    }

    private Claim claim(Key key) {
        Chunk chunk = kept.get(key);
        if (chunk != null) {
            hits.increment();
            chunk.bytes().retain();
            Loading here = new Loading();
            here.chunk.complete(chunk);
            return new Claim(key, here, false);
        }
        Loading others = loading.get(key);
        if (others != null) {
            hits.increment();
            others.readers++;
            return new Claim(key, others, false);
        }
        misses.increment();
        Loading mine = new Loading();
        loading.put(key, mine);
        return new Claim(key, mine, true);
    }

    /** Whatever happens, each claim is done then: others may wait for it. */
    private void load(BlockId id, List<Claim> run, Disk disk) {
        try {
            Loaded loaded = disk.load(id, run.getFirst().key().number(), run.size());
            try {
                run.forEach(claim -> deliver(claim, next(loaded)));
            } finally {
                loaded.body().release();
            }
        } catch (IOException | RuntimeException | Error failure) {
            run.forEach(claim -> fail(claim, failure));
        }
    }

    /** In a buffer of its own, since it may stay longer than its neighbours. */
    private Chunk next(Loaded loaded) {
        int length = Math.min(ChunkChecksums.CHUNK_BYTES, loaded.body().readableBytes());
        return new Chunk(loaded.header(), allocator.directBuffer(length, length).writeBytes(loaded.body(), length));
    }

    private void deliver(Claim claim, Chunk chunk) {
        boolean isRight = chunk.isRight(claim.key().number());
        Loading mine = claim.loading();
        synchronized (this) {
            boolean isCurrent = loading.remove(claim.key(), mine);
            chunk.bytes().retain(mine.readers);
            if (isCurrent && isRight && !closed) {
                keep(claim.key(), chunk);
            } else {
                chunk.bytes().release();
            }
        }
        mine.chunk.complete(chunk);
    }

    private void keep(Key key, Chunk chunk) {
        keptOf.computeIfAbsent(key.id().generation(), generation -> new HashSet<>())
                .add(key);
        kept.put(key, chunk, chunk.weight());
    }

    private void fail(Claim claim, Throwable failure) {
        synchronized (this) {
            loading.remove(claim.key(), claim.loading());
        }
        claim.loading().chunk.completeExceptionally(failure);
    }

    private static void await(List<Claim> claims) throws IOException {
        try {
            StripedStore.await(CompletableFuture.allOf(
                    claims.stream().map(claim -> claim.loading().chunk).toArray(CompletableFuture<?>[]::new)));
        } catch (IOException | RuntimeException | Error failure) {
            claims.stream()
                    .filter(claim -> !claim.loading().chunk.isCompletedExceptionally())
                    .forEach(Claim::release);
            throw failure;
        }
    }

    private static StoredPart part(List<Claim> claims, int from, int length) throws IOException {
        try {
            List<Chunk> chunks =
                    claims.stream().map(claim -> claim.loading().chunk.join()).toList();
            PartHeader header = BlockStore.part(chunks.getFirst().header(), from, length);
            // A duplicate has indices of its own: others send the same bytes at the same time.
            ByteBuf[] bytes =
                    chunks.stream().map(chunk -> chunk.bytes().duplicate()).toArray(ByteBuf[]::new);
            return new StoredPart(header, Unpooled.wrappedBuffer(bytes));
        } catch (CorruptBlockException | RuntimeException failure) {
            claims.forEach(Claim::release);
            throw failure;
        }
    }

    /** The block on the disk is another file now, or none. */
    synchronized void forget(BlockId id) {
        forget(id.generation(), key -> key.id().equals(id));
    }

    /** The generation has no blocks any more. */
    synchronized void forget(Generation generation) {
        forget(generation, key -> true);
    }

    private void forget(Generation generation, Predicate<Key> which) {
        loading.keySet().removeIf(key -> key.id().generation().equals(generation) && which.test(key));
        keptOf.getOrDefault(generation, Set.of()).stream()
                .filter(which)
                .toList()
                .forEach(this::drop);
    }

    private void drop(Key key) {
        Chunk chunk = kept.remove(key);
        if (chunk != null) {
            release(key, chunk);
        }
    }

    /** On its way out of {@link #kept}. */
    private void release(Key key, Chunk chunk) {
        Generation generation = key.id().generation();
        keptOf.computeIfPresent(generation, (same, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
        chunk.bytes().release();
    }

    /** What is kept, in bytes. */
    synchronized long bytes() {
        return kept.weight();
    }

    /** Keeps nothing from now on. */
    @Override
    public synchronized void close() {
        closed = true;
        List.copyOf(keptOf.keySet()).forEach(this::forget);
    }
}
