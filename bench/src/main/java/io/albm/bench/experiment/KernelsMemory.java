// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Memory that the kernel limits: what requests hold is anonymous memory, documents are page cache, and which of it has to
 * go is the kernel's business.
 */
final class KernelsMemory implements ServerMemory {
    private static final int KIBIBYTE = 1024;

    private final Documents documents;
    private final int allKibibytes;
    private final Semaphore freeKibibytes;

    /**
     * For one server.
     *
     * @param mostHeldBytes what requests may hold at a time, so that the kernel never has to kill
     */
    KernelsMemory(Documents documents, long mostHeldBytes) {
        this.documents = documents;
        this.allKibibytes = Math.toIntExact(mostHeldBytes / KIBIBYTE);
        this.freeKibibytes = new Semaphore(allKibibytes);
    }

    private record Block(Semaphore taken, int kibibytes, Arena arena, MemorySegment memory) implements Held {
        @Override
        public void close() {
            arena.close();
            taken.release(kibibytes);
        }
    }

    @Override
    public Optional<Held> hold(long bytes) {
        int kibibytes = Math.toIntExact(bytes / KIBIBYTE);
        if (!freeKibibytes.tryAcquire(kibibytes)) {
            return Optional.empty();
        }
        Arena arena = Arena.ofConfined();
        return Optional.of(new Block(freeKibibytes, kibibytes, arena, arena.allocate(bytes))); // zeroed, and so touched
    }

    @Override
    public void look(int pages) {
        documents.lookAtRandom(pages);
    }

    @Override
    public void restore() {
        freeKibibytes.acquireUninterruptibly(allKibibytes);
        documents.lookAtAll();
        freeKibibytes.release(allKibibytes);
    }
}
