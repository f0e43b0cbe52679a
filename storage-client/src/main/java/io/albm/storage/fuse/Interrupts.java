// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Which thread serves which request, so that one whose caller no longer waits can be interrupted. The kernel tells of every
 * signal to the caller; but calls on files go on through signals, as on a disk (signal(7)): only a wait for a lock ends with
 * any of them, everything else when the caller is being killed. An interrupt reaches a thread between begin and end of that
 * request only. Thread-safe.
 */
final class Interrupts {
    private final Map<Long, Serving> all = new ConcurrentHashMap<>();
    private final IntPredicate isKilled;

    /** @param isKilled whether the thread with that id is being killed */
    Interrupts(IntPredicate isKilled) {
        this.isKilled = isKilled;
    }

    private record Serving(Thread thread, int caller, boolean isWait, boolean isAskedToEnd) {
        Serving askedToEnd() {
            return new Serving(thread, caller, isWait, true);
        }
    }

    /** The calling thread serves a request of that thread; 0 if the kernel itself asks. */
    void begin(long unique, int caller) {
        all.put(unique, new Serving(Thread.currentThread(), caller, false, false));
    }

    /** The calling thread serves it no more. */
    void end(long unique) {
        all.computeIfPresent(
                unique, (request, serving) -> serving.thread().equals(Thread.currentThread()) ? null : serving);
        boolean _ = Thread.interrupted();
    }

    /**
     * Another thread, which may not have started yet, waits for what the calling one was asked for, and is interrupted in its
     * place.
     */
    void handOver(long unique, Thread to) {
        boolean wasInterrupted = Thread.interrupted();
        all.compute(unique, (request, from) -> {
            if (wasInterrupted || (from != null && from.isAskedToEnd())) {
                to.interrupt();
            }
            return new Serving(to, from == null ? 0 : from.caller(), true, false);
        });
    }

    /**
     * Interrupts whoever serves that request, if a signal to its caller is to end it.
     *
     * @return whether somebody serves it
     */
    boolean interrupt(long unique) {
        Serving found = all.computeIfPresent(unique, (request, serving) -> {
            if (serving.isWait() || isKilled.test(serving.caller())) {
                serving.thread().interrupt();
            }
            return serving.askedToEnd();
        });
        return found != null;
    }
}
