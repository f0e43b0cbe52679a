// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Requests that may wait for other requests, as those for locks do: each has a thread of its own, which answers it, so that those
 * who serve are there for the others. Their answers have no body. Thread-safe.
 */
final class LateAnswers {
    /** Requests that are served at a time. */
    static final int MOST = 1024;

    private final Interrupts interrupts;
    private final Failures failures;
    private final ToIntFunction<ByteBuffer> send;
    private final Semaphore room = new Semaphore(MOST);
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /** @param send sends an answer, and gives 0 or {@code -errno} */
    LateAnswers(Interrupts interrupts, Failures failures, ToIntFunction<ByteBuffer> send) {
        this.interrupts = interrupts;
        this.failures = failures;
        this.send = send;
    }

    /** What is asked. */
    @FunctionalInterface
    interface Operation {
        void run() throws IOException, InterruptedException;
    }

    /** Has a request served and answered. @return false if too many are */
    boolean begin(long unique, Opcode opcode, Operation operation) {
        if (ended || !room.tryAcquire()) {
            return false;
        }
        Thread thread = Thread.ofVirtual().unstarted(() -> run(unique, opcode, operation));
        interrupts.handOver(unique, thread);
        thread.start();
        return true;
    }

    private void run(long unique, Opcode opcode, Operation operation) {
        threads.add(Thread.currentThread());
        try {
            answer(unique, serve(unique, opcode, operation));
        } finally {
            threads.remove(Thread.currentThread());
            room.release();
        }
    }

    private int serve(long unique, Opcode opcode, Operation operation) {
        try {
            if (ended) {
                return Errno.EINTR.code();
            }
            operation.run();
            return 0;
        } catch (Throwable failure) {
            return failures.errno(opcode, failure).code();
        } finally {
            interrupts.end(unique);
        }
    }

    /** Who does not wait any more needs no answer. */
    private void answer(long unique, int error) {
        ByteBuffer answer = ByteBuffer.allocate(ReplyWriter.HEADER_BYTES).order(ByteOrder.nativeOrder());
        ReplyWriter.header(answer, ReplyWriter.HEADER_BYTES, -error, unique);
        int _ = send.applyAsInt(answer);
    }

    /**
     * Interrupts all, and takes no more.
     *
     * @return whether they have ended in time
     */
    boolean end(Duration patience) throws InterruptedException {
        ended = true;
        threads.forEach(Thread::interrupt);
        return room.tryAcquire(MOST, patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
