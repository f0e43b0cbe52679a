// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which thread serves which request, so that one whose caller no longer waits can be interrupted. An interrupt reaches a
 * thread between begin and end of that request only. Thread-safe.
 */
final class Interrupts {
    private final Map<Long, Thread> serving = new ConcurrentHashMap<>();

    /** The calling thread serves a request. */
    void begin(long unique) {
        serving.put(unique, Thread.currentThread());
    }

    /** The calling thread serves it no more. */
    void end(long unique) {
        serving.remove(unique, Thread.currentThread());
        boolean _ = Thread.interrupted();
    }

    /** Another thread, which may not have started yet, serves what the calling one does, and is interrupted in its place. */
    void handOver(long unique, Thread to) {
        serving.compute(unique, (request, from) -> {
            if (Thread.interrupted()) {
                to.interrupt();
            }
            return to;
        });
    }

    /**
     * Interrupts whoever serves that request.
     *
     * @return whether somebody does
     */
    boolean interrupt(long unique) {
        Thread found = serving.computeIfPresent(unique, (request, thread) -> {
            thread.interrupt();
            return thread;
        });
        return found != null;
    }
}
