// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Changes that were answered here and that the table has yet to make, in their order. Some are under way at a time; what comes
 * meanwhile goes with the next ones, as does what comes soon after another. Thread-safe, never blocks.
 */
final class WriteBehind {
    /** Changes that wait or are under way. */
    static final int MOST = 2000;

    /** Bytes of files and of symbolic links that they bring. */
    private static final long MOST_BYTES = 4 << 20;

    /** Of those that are sent together: as text they take a third more, and have to fit into a frame. */
    private static final long MOST_BYTES_SENT = TableFrames.MAX_CALL_BYTES / 2;

    /** Few enough to be told from the time that an answer takes, long enough for several changes to go together. */
    private static final Duration LINGER = Duration.ofMillis(5);

    private final Function<List<Made>, CompletableFuture<Void>> send;
    private final Delay delay;
    private final Deque<Made> waiting = new ArrayDeque<>();
    private final Deque<Flush> flushes = new ArrayDeque<>();
    private boolean lingering;
    private boolean sending;
    private long added;
    private long sent;
    private long bytes;

    /**
     * A change that was made here.
     *
     * @param client the session whose lease it was made under: the table takes it from no other one
     * @param grant the last lease that the client knew of
     */
    record Made(String client, Instant time, Grant grant, TableCommand<?> command) {
        private long bytes() {
            return switch (command) {
                case TableCommand.Change change -> change.inlineBytes();
                case TableCommand.Make make -> make.target() == null ? 0 : make.target().length;
                default -> 0;
            };
        }
    }

    private record Flush(long upTo, CompletableFuture<Void> done) {}

    /** @param send sends changes of one session, at most {@value TableCall.WriteBehind#MOST_STEPS}; its failure has been dealt with */
    WriteBehind(Function<List<Made>, CompletableFuture<Void>> send, Delay delay) {
        this.send = send;
        this.delay = delay;
    }

    synchronized boolean isFull() {
        return added - sent >= MOST || bytes >= MOST_BYTES;
    }

    void add(Made made) {
        synchronized (this) {
            added++;
            bytes += made.bytes();
            waiting.add(made);
            if (lingering) {
                return;
            }
            lingering = true;
        }
        delay.after(LINGER, () -> {
            synchronized (this) {
                lingering = false;
            }
            pump();
        });
    }

    /** Done, and never failed, when all that was added is sent, or lost. */
    CompletableFuture<Void> flush() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (this) {
            if (added == sent) {
                return CompletableFuture.completedFuture(null);
            }
            flushes.add(new Flush(added, done));
        }
        pump();
        return done;
    }

    private void pump() {
        List<Made> next = next();
        if (!next.isEmpty()) {
            send.apply(next).whenComplete((nothing, failure) -> sent(next));
        }
    }

    private synchronized List<Made> next() {
        List<Made> next = new ArrayList<>();
        long sum = 0;
        while (!sending
                && !waiting.isEmpty()
                && isOfOneSession(next, waiting.element())
                && next.size() < TableCall.WriteBehind.MOST_STEPS
                && sum < MOST_BYTES_SENT) {
            next.add(waiting.remove());
            sum += next.getLast().bytes();
        }
        sending |= !next.isEmpty();
        return next;
    }

    private static boolean isOfOneSession(List<Made> made, Made another) {
        return made.isEmpty() || made.getFirst().client().equals(another.client());
    }

    private void sent(List<Made> last) {
        List<Flush> done = new ArrayList<>();
        boolean isUrgent;
        synchronized (this) {
            sending = false;
            sent += last.size();
            bytes -= last.stream().mapToLong(Made::bytes).sum();
            while (!flushes.isEmpty() && flushes.element().upTo() <= sent) {
                done.add(flushes.remove());
            }
            isUrgent = !flushes.isEmpty() || !lingering;
        }
        done.forEach(flush -> flush.done().complete(null));
        if (isUrgent) {
            pump();
        }
    }
}
