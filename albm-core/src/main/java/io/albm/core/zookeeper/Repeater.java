// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a step that brings ZooKeeper and this process in line with each other. Every event merely kicks; the step reads
 * what is there and does what is missing. Never runs twice at a time; kicks that come meanwhile are joined into one more
 * turn. A step that failed because the connection broke is left alone: the next connection kicks again.
 */
final class Repeater {
    private static final Logger log = LoggerFactory.getLogger(Repeater.class);
    private static final long OVERTAKEN_RETRY_MILLIS = 20;
    private static final long FAILED_RETRY_MILLIS = 1000;

    private final String what;
    private final Executor dispatcher;
    private final Supplier<CompletableFuture<?>> step;
    private boolean running;
    private boolean again;

    Repeater(String what, Executor dispatcher, Supplier<CompletableFuture<?>> step) {
        this.what = what;
        this.dispatcher = dispatcher;
        this.step = step;
    }

    /** From any thread. */
    void kick() {
        dispatcher.execute(this::turn);
    }

    private void turn() {
        if (running) {
            again = true;
            return;
        }
        running = true;
        again = false;
        begin().whenCompleteAsync((done, failure) -> ended(failure), dispatcher);
    }

    private CompletableFuture<?> begin() {
        try {
            return step.get();
        } catch (ZooKeeperFailure e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void ended(@Nullable Throwable failure) {
        running = false;
        if (again) {
            turn();
        } else if (failure != null) {
            failed(ZooKeeperFailure.cause(failure));
        }
    }

    private void failed(Throwable cause) {
        if (isOvertaken(cause)) {
            turnAfter(OVERTAKEN_RETRY_MILLIS);
        } else if (!(cause instanceof ConnectionBroke) && !(cause instanceof CoordinationException)) {
            log.warn("{}: failed ({}); trying again", what, cause.getMessage());
            turnAfter(FAILED_RETRY_MILLIS);
        }
    }

    /** Somebody else changed, between this step's read and its write, what it had read. */
    private static boolean isOvertaken(Throwable cause) {
        return ZooKeeperFailure.is(cause, Code.NODEEXISTS)
                || ZooKeeperFailure.is(cause, Code.NONODE)
                || ZooKeeperFailure.is(cause, Code.BADVERSION);
    }

    private void turnAfter(long millis) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, dispatcher)
                .execute(this::turn);
    }
}
