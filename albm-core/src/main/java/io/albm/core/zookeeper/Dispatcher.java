// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a cluster that changes views and calls listeners, so that none of them needs a lock. Its queue needs
 * no bound of its own: every source joins what it has to say into one waiting task. After {@link #close} nothing runs.
 */
final class Dispatcher implements Executor, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

    private final ThreadPoolExecutor thread;

    Dispatcher(String name) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name).factory(),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(() -> runSafely(task));
    }

    /** A listener that throws must not take the others with it. */
    static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            log.error("a listener of the cluster failed", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
