// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs blocking reads on virtual threads, oldest first, at most {@code readers} at once. At most {@code limit} wait;
 * one more is refused, so that a slow disk turns into refusals instead of memory. Thread-safe.
 */
final class ReadQueue {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Executor threads;
    private final int readers;
    private final int limit;
    private int running;

    ReadQueue(Executor threads, int readers, int limit) {
        this.threads = threads;
        this.readers = readers;
        this.limit = limit;
    }

    /** Whether the read was taken; it never runs on the calling thread. */
    synchronized boolean offer(Runnable read) {
        if (running < readers) {
            return start(read);
        }
        return waiting.size() < limit && waiting.add(read);
    }

    private boolean start(Runnable read) {
        try {
            threads.execute(() -> runAll(read));
            running++;
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void runAll(Runnable first) {
        Optional<Runnable> next = Optional.of(first);
        while (next.isPresent()) {
            run(next.get());
            next = next();
        }
    }

    /** A read that breaks is shown, and costs no reader. */
    private static void run(Runnable read) {
        try {
            read.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private synchronized Optional<Runnable> next() {
        Optional<Runnable> next = Optional.ofNullable(waiting.poll());
        if (next.isEmpty()) {
            running--;
        }
        return next;
    }

    /** Reads that wait for a reader. */
    synchronized int length() {
        return waiting.size();
    }
}
