// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers that wait until what they rest on is safe. Belongs to the lane. */
final class PendingAnswers {
    private final Deque<Pending> untilHeld = new ArrayDeque<>();
    private final Deque<Pending> untilDurable = new ArrayDeque<>();

    /**
     * An answer, less what is known only when it is given.
     *
     * @param entry the last entry of the log that it rests on
     * @param position of the batch with that entry
     * @param lease see {@link TableReply}
     */
    record Pending(
            long entry,
            long position,
            TableOutcome outcome,
            @Nullable LeaseNotice lease,
            CompletableFuture<TableReply> reply) {}

    /** Which answers may be given, and what they tell of the log. */
    record Progress(long held, long durable, long epoch, long durablePosition) {}

    /** @param early whether it may be given before it is durable */
    void add(Pending pending, boolean early) {
        (early ? untilHeld : untilDurable).add(pending);
    }

    void release(Progress progress) {
        release(untilHeld, Math.max(progress.held(), progress.durable()), progress);
        release(untilDurable, progress.durable(), progress);
    }

    private static void release(Deque<Pending> queue, long upTo, Progress progress) {
        while (!queue.isEmpty() && queue.element().entry() <= upTo) {
            Pending next = queue.remove();
            next.reply()
                    .complete(new TableReply(
                            next.position(),
                            progress.durablePosition(),
                            progress.epoch(),
                            next.outcome(),
                            next.lease()));
        }
    }
}
