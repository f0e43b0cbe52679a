// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which thread serves which request, so that one whose caller no longer waits can be interrupted. Thread-safe. */
final class Interrupts {
    private final List<Turn> turns = new CopyOnWriteArrayList<>();

    /** One for the calling thread, which serves one request at a time. */
    Turn join() {
        Turn turn = new Turn(Thread.currentThread());
        turns.add(turn);
        return turn;
    }

    /**
     * Interrupts whoever serves that request.
     *
     * @return whether somebody does
     */
    boolean interrupt(long unique) {
        return turns.stream().anyMatch(turn -> turn.interrupt(unique));
    }

    /** What a thread is at. An interrupt reaches it between begin and end only. */
    static final class Turn {
        private static final long NOTHING = 0;

        private final Thread thread;
        private long unique = NOTHING;

        private Turn(Thread thread) {
            this.thread = thread;
        }

        synchronized void begin(long request) {
            unique = request;
        }

        synchronized void end() {
            unique = NOTHING;
            boolean _ = Thread.interrupted();
        }

        private synchronized boolean interrupt(long request) {
            boolean mine = unique == request && request != NOTHING;
            if (mine) {
                thread.interrupt();
            }
            return mine;
        }
    }
}
