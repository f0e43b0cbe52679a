// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.net.BlockingExecutor;
import io.albm.core.time.MonotonicClock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs background requests when {@link BackgroundShare} lets them. Of more than {@value #WAITING} that wait, those that come
 * are rejected. Thread-safe.
 */
final class BackgroundTurns implements Executor {
    private static final int WAITING = 256;

    private final BlockingExecutor executor = new BlockingExecutor(BackgroundShare.IDLE_TURNS, WAITING);
    private final BackgroundShare share;
    private final MonotonicClock clock;

    BackgroundTurns(BackgroundShare share, MonotonicClock clock) {
        this.share = share;
        this.clock = clock;
    }

    /** @throws RejectedExecutionException if too many wait */
    @Override
    public void execute(Runnable work) {
        executor.execute(() -> {
            long began = awaitTurn();
            try {
                work.run();
            } finally {
                share.ends(began, clock.nanoTime());
            }
        });
    }

    private long awaitTurn() {
        while (true) {
            long now = clock.nanoTime();
            long nanos = share.begin(now);
            if (nanos == 0) {
                return now;
            }
            LockSupport.parkNanos(nanos);
        }
    }
}
