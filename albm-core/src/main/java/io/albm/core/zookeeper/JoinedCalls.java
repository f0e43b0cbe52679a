// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs a task on the dispatcher when asked; however often it is asked before it begins, it runs once. Thread-safe. */
final class JoinedCalls {
    private final Executor dispatcher;
    private final Runnable task;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean stopped;

    JoinedCalls(Executor dispatcher, Runnable task) {
        this.dispatcher = dispatcher;
        this.task = task;
    }

    void request() {
        if (waiting.compareAndSet(false, true)) {
            dispatcher.execute(this::run);
        }
    }

    private void run() {
        waiting.set(false);
        if (!stopped) {
            task.run();
        }
    }

    void stop() {
        stopped = true;
    }
}
