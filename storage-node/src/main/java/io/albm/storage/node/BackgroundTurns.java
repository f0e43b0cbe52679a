// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.net.BlockingExecutor;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs the background requests of a node, whoever has them, when its {@link BackgroundShare} lets them. Of more than
 * {@value #WAITING} that wait, those that come are rejected. Thread-safe.
 */
final class BackgroundTurns {
    /** Who may wait for a turn. */
    static final int WAITING = 256;

    private final BlockingExecutor executor = new BlockingExecutor(BackgroundShare.IDLE_TURNS, WAITING);
    private final MonotonicClock clock = MonotonicClock.system();
    private final BackgroundShare share = new BackgroundShare(clock.nanoTime());
    private final ProcessorStall processors = ProcessorStall.ofThisMachine(clock.nanoTime());

    /** A request begins that background work waits for. */
    void foregroundBegins() {
        share.foregroundBegins();
    }

    void foregroundEnds() {
        share.foregroundEnds(clock.nanoTime());
    }

    /** Has a request answered in its turn; what it costs to send the answer counts, too. Fails with {@link RejectedExecutionException} if too many wait. */
    CompletableFuture<Reply> answer(Supplier<Reply> request) {
        return turn(began -> request.get().whenSent(() -> share.sent(began, clock.nanoTime())));
    }

    /** Does work of the node's own in its turn. Fails with {@link RejectedExecutionException} if too much waits. */
    <T> CompletableFuture<T> run(Supplier<T> work) {
        return turn(began -> work.get());
    }

    /** As {@link #run}, work that does not block: at once, by the caller's thread, if its turn has come. */
    <T> CompletableFuture<T> runBriefly(Supplier<T> work) {
        long began = clock.nanoTime();
        return share.begin(began) > 0
                ? run(work)
                : CompletableFuture.completedFuture(runTurn(began, nanos -> work.get()));
    }

    private <T> CompletableFuture<T> turn(LongFunction<T> work) {
        return CompletableFuture.supplyAsync(() -> runTurn(awaitTurn(), work), executor);
    }

    private <T> T runTurn(long began, LongFunction<T> work) {
        try {
            return work.apply(began);
        } finally {
            share.ends(began, clock.nanoTime());
        }
    }

    private long awaitTurn() {
        while (true) {
            long now = clock.nanoTime();
            long nanos = share.begin(now);
            if (nanos == 0) {
                return now;
            }
            share.processorsStalled(processors.share(now));
            LockSupport.parkNanos(nanos);
        }
    }
}
