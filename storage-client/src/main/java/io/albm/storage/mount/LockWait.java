// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.RangeLock;
import io.albm.storage.TableQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Waits until nothing is in the way of a lock, as far as the file table can tell. Its leader holds the question back until then;
 * where it does not, because too many wait, the question is asked again after pauses. Not thread-safe.
 */
final class LockWait {
    /** Questions of a client that its connection to the leader may hold, which has to be there for others. */
    static final int MOST_HELD = 64;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Answers answers;
    private final Semaphore held;
    private final long end;
    private Duration pause = FIRST_PAUSE;

    /** @param held shared by all of a client, with {@value #MOST_HELD} permits at first */
    LockWait(Answers answers, Semaphore held, Duration patience) {
        this.answers = answers;
        this.held = held;
        this.end = System.nanoTime() + patience.toNanos();
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /** Waits. @return false if the patience is over */
    boolean untilFree(long inode, RangeLock wanted) throws IOException, InterruptedException {
        for (Duration left = left(); !left.isZero(); left = left()) {
            if (isFree(inode, wanted, left)) {
                return true;
            }
        }
        return false;
    }

    private boolean isFree(long inode, RangeLock wanted, Duration left) throws IOException, InterruptedException {
        boolean holds = held.tryAcquire();
        int wait = holds ? (int) Math.min(left.toMillis(), TableQuery.MOST_WAIT_MILLIS) : 0;
        long asked = System.nanoTime();
        try {
            if (answers.ask(new TableQuery.Blocker(inode, wanted, wait)).by() == null) {
                return true;
            }
        } finally {
            if (holds) {
                held.release();
            }
        }
        pauseUnlessHeld(Duration.ofNanos(System.nanoTime() - asked), Duration.ofMillis(wait), left);
        return false;
    }

    private void pauseUnlessHeld(Duration took, Duration wait, Duration left) throws InterruptedException {
        if (wait.isZero() || took.compareTo(wait.dividedBy(2)) < 0) {
            Thread.sleep(pause.compareTo(left) < 0 ? pause : left);
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
    }
}
