// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs something later; the seam at which a simulation takes the timer's place. */
@FunctionalInterface
public interface Delay {
    void after(Duration delay, Runnable task);

    /** On threads of its own, which may block. */
    static Delay system() {
        return (delay, task) -> CompletableFuture.delayedExecutor(
                        delay.toNanos(), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
                .execute(task);
    }
}
