// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs numbered asynchronous steps with a bounded number of them under way: each lane starts the next step when its last
 * one has ended. Steps that end at once are turned in a loop, so any number of them needs no stack. After the first
 * failure no new step starts, and the result fails when all lanes have ended.
 */
final class Lanes {
    private final AtomicLong next = new AtomicLong();
    private final long count;
    private final LongFunction<CompletableFuture<Void>> step;

    private Lanes(long count, LongFunction<CompletableFuture<Void>> step) {
        this.count = count;
        this.step = step;
    }

    /** Runs steps 0 to {@code count - 1}, at most {@code lanes} at a time. */
    static CompletableFuture<Void> run(long count, int lanes, LongFunction<CompletableFuture<Void>> step) {
        Lanes all = new Lanes(count, step);
        return CompletableFuture.allOf(IntStream.range(0, (int) Math.min(lanes, count))
                .mapToObj(lane -> all.lane())
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> lane() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        turn(done);
        return done;
    }

    private void turn(CompletableFuture<Void> done) {
        for (long index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
            CompletableFuture<Void> current = step.apply(index);
            if (!current.isDone() || current.isCompletedExceptionally()) {
                current.whenComplete((nothing, failure) -> resume(done, failure));
                return;
            }
        }
        done.complete(null);
    }

    private void resume(CompletableFuture<Void> done, @Nullable Throwable failure) {
        if (failure == null) {
            turn(done);
        } else {
            next.set(count);
            done.completeExceptionally(StorageException.unwrap(failure));
        }
    }
}
