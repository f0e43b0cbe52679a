// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Runs blocking work on virtual threads, with two bounds: how many tasks run at once and how many more may wait.
 *
 * <p>A virtual thread is cheap but what it does is not: each open file and each buffer it holds is real. Beyond both
 * bounds {@link #execute} throws {@link RejectedExecutionException}, so that the caller can push back on whoever sent the
 * work instead of hoarding it. Thread-safe; never blocks the caller.
 */
public final class BlockingExecutor implements Executor, AutoCloseable {

    private static final int DEFAULT_RUNNING = 256;
    private static final int DEFAULT_WAITING = 4096;

    private final Semaphore admitted;
    private final Semaphore running;
    private final int limit;
    private volatile boolean closed;

    /**
     * @param maxRunning tasks that may run at the same time, at least 1
     * @param maxWaiting tasks that may wait for their turn, 0 or more
     */
    public BlockingExecutor(int maxRunning, int maxWaiting) {
        this.limit = Math.addExact(maxRunning, maxWaiting);
        this.admitted = new Semaphore(limit);
        this.running = new Semaphore(maxRunning);
    }

    static BlockingExecutor withDefaults() {
        return new BlockingExecutor(DEFAULT_RUNNING, DEFAULT_WAITING);
    }

    @Override
    public void execute(Runnable task) {
        if (closed || !admitted.tryAcquire()) {
            throw new RejectedExecutionException(
                    closed ? "this process is closing" : "more than " + limit + " blocking tasks at once");
        }
        Thread.ofVirtual().name("albm-blocking").start(() -> run(task));
    }

    /** Tasks that run or wait now. */
    public int active() {
        return limit - admitted.availablePermits();
    }

    private void run(Runnable task) {
        running.acquireUninterruptibly();
        try {
            task.run();
        } finally {
            running.release();
            admitted.release();
        }
    }

    /** Refuses new tasks; those already taken run to their end. */
    @Override
    public void close() {
        closed = true;
    }
}
