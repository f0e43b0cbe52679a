// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Generation;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that were answered for and are not durable yet. They have no name before they are, so a crash leaves nothing of
 * them. Each is settled, that is, made durable and named, by an executor, or by who needs it, whichever comes first.
 *
 * <p>So a writer does not wait for the disk after each block, and the disk has many blocks to make durable at a time. Bound:
 * {@value #MOST_BYTES} bytes; what comes beyond is settled before it is answered for.
 *
 * <p>Thread-safe.
 */
final class UnsettledBlocks {
    /** What may be lost by a crash, and has its writer write it again. */
    static final long MOST_BYTES = 64L << 20;

    /** What the smallest block counts for, since each keeps a file open. */
    private static final long LEAST_CHARGE = 1L << 20;

    /** Blocks that workers settle at a time: many share a commit of the file system, few keep a removal waiting. */
    private static final int TURNS = 8;

    /** Generations whose failure waits to be told. The seal of one that was dropped finds too few blocks. */
    private static final int MOST_FAILURES = 1024;

    /**
     * A block in a file without a name.
     *
     * @param bytes of the file
     */
    record Block(BlockHeader header, String temporary, BlockDisk.Written file, long bytes) {}

    /** What becomes of a block. */
    interface Settling {
        /** Makes it durable and names it; after a failure nothing of it is left. */
        void settle(Block block) throws IOException;

        /** Leaves nothing of it. */
        void giveUp(Block block) throws IOException;
    }

    private final Settling settling;
    private final Executor executor;
    private final Semaphore turns = new Semaphore(TURNS);
    private final Map<BlockId, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong charged = new AtomicLong();
    private final Map<Generation, IOException> failures = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Generation, IOException> eldest) {
            return size() > MOST_FAILURES;
        }
    });

    UnsettledBlocks(Settling settling, Executor executor) {
        this.settling = settling;
        this.executor = executor;
    }

    private final class Entry {
        private final Block block;
        private boolean isSettled;

        private Entry(Block block) {
            this.block = block;
        }

        private Generation generation() {
            return block.header.id().generation();
        }

        private long charge() {
            return Math.max(LEAST_CHARGE, block.bytes);
        }

        /** Does nothing if that was tried before, or it was given up. */
        private synchronized void settle() throws IOException {
            if (!isSettled) {
                isSettled = true;
                try {
                    settling.settle(block);
                } catch (IOException failure) {
                    failures.put(generation(), failure);
                    throw failure;
                } finally {
                    leave();
                }
            }
        }

        private void settleQuietly() {
            try {
                settle();
            } catch (IOException toldWhenItIsSealed) {
                // The writer counts on a block when it is sealed, and not before.
            }
        }

        /** Does nothing if it is settled; waits if it is being settled. */
        private synchronized void giveUp() throws IOException {
            if (!isSettled) {
                isSettled = true;
                try {
                    settling.giveUp(block);
                } finally {
                    leave();
                }
            }
        }

        private void leave() {
            entries.remove(block.header.id(), this);
            charged.addAndGet(-charge());
        }
    }

    /** Takes a block over. Throws only if there was no room to let it wait. */
    void add(Block block) throws IOException {
        Entry entry = new Entry(block);
        boolean fits = charged.addAndGet(entry.charge()) <= MOST_BYTES;
        boolean isOnly = entries.putIfAbsent(block.header.id(), entry) == null;
        if (!fits || !isOnly || !executes(entry)) {
            entry.settle();
        }
    }

    private boolean executes(Entry entry) {
        try {
            executor.execute(() -> settleInTurn(entry));
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    private void settleInTurn(Entry entry) {
        turns.acquireUninterruptibly();
        try {
            entry.settleQuietly();
        } finally {
            turns.release();
        }
    }

    /** What was written under that name, if it is not settled. */
    Optional<BlockHeader> header(BlockId id) {
        return Optional.ofNullable(entries.get(id)).map(entry -> entry.block.header);
    }

    /** The file of a block that is not settled; it may get its name at any moment. */
    @Nullable
    String temporary(BlockId id) {
        Entry entry = entries.get(id);
        return entry == null ? null : entry.block.temporary;
    }

    /** Settles a generation's blocks. Throws the last failure of one of them, once. */
    void settle(Generation generation) throws IOException {
        for (Entry entry : of(generation)) {
            entry.settleQuietly();
        }
        IOException failure = failures.remove(generation);
        if (failure != null) {
            throw failure;
        }
    }

    /** Gives a generation's blocks up that are not settled. */
    void giveUp(Generation generation) throws IOException {
        for (Entry entry : of(generation)) {
            entry.giveUp();
        }
        failures.remove(generation);
    }

    private List<Entry> of(Generation generation) {
        return entries.values().stream()
                .filter(entry -> entry.generation().equals(generation))
                .toList();
    }

    /** Settles all. */
    void settle() {
        entries.values().forEach(Entry::settleQuietly);
    }
}
