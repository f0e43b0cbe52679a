// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.StorageException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tries of one request, at one leader after the other, with growing pauses, until its deadline. */
final class TableAttempts {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    /** For one try: a leader that hangs must leave time for the next one. */
    private static final Duration ONE_TRY = Duration.ofSeconds(5);

    private final LeaderLookup leader;
    private final TableLink link;
    private final Delay delay;
    private final MonotonicClock clock;
    private final long end;
    private final Duration oneTry;
    private Duration pause = FIRST_PAUSE;
    /** Whether a try may have made the change although it was not answered. */
    private volatile boolean unclear;

    TableAttempts(LeaderLookup leader, TableLink link, Delay delay, MonotonicClock clock, Duration deadline) {
        this(leader, link, delay, clock, deadline, ONE_TRY);
    }

    /** @param oneTry bound on each try */
    TableAttempts(
            LeaderLookup leader,
            TableLink link,
            Delay delay,
            MonotonicClock clock,
            Duration deadline,
            Duration oneTry) {
        this.oneTry = oneTry;
        this.leader = leader;
        this.link = link;
        this.delay = delay;
        this.clock = clock;
        this.end = clock.nanoTime() + deadline.toNanos();
    }

    /** The client's session is over; nothing was changed unless it is unclear. */
    static final class SessionOver extends RuntimeException {
        private final boolean unclear;

        SessionOver(String message, boolean unclear) {
            super(message, null, false, false);
            this.unclear = unclear;
        }

        boolean isUnclear() {
            return unclear;
        }
    }

    static String name(TableRequest<?> request) {
        return "table change " + request.getClass().getSimpleName();
    }

    /** @param client who asks; null if it has no session yet */
    CompletableFuture<TableReply> ask(@Nullable String client, TableQuery<?> query) {
        TableCall call = new TableCall.Ask(client, query);
        return until(() -> send(() -> call));
    }

    /** Asks for leases. Fails with {@link SessionOver}, too, and while a change is in doubt. */
    CompletableFuture<LeaseReply> lease(Function<ChangeWindow, TableCall.Lease> call, ChangeWindow window) {
        return until(() -> {
            if (window.isInDoubt()) {
                return CompletableFuture.failedFuture(
                        new StorageException.TableUnavailable("a change of this client may be made yet"));
            }
            long sent = clock.nanoTime();
            TableCall.Lease lease = call.apply(window);
            return send(() -> lease).thenApply(reply -> new LeaseReply(lease, sent, reply.lease()));
        });
    }

    /** Waits until changes are durable that were answered early. Fails with {@link SessionOver}, too. */
    CompletableFuture<TableOutcome> sync(String client, List<Long> numbers) {
        TableCall call = new TableCall.Sync(client, numbers);
        return until(() -> send(() -> call)).thenApply(TableReply::outcome);
    }

    /** Fails with {@link SessionOver}, too. */
    CompletableFuture<TableReply> change(TableCommand<?> command, ChangeWindow window, boolean early) {
        return change(
                name(command),
                window,
                1,
                number -> new TableCall.Change(window.client(), number, window.settled(), command, early));
    }

    /** Changes that were answered already, in this order. Fails with {@link SessionOver}, too. */
    CompletableFuture<TableReply> writeBehind(List<WriteBehind.Made> made, ChangeWindow window) {
        return change(made.size() + " table changes", window, made.size(), first -> {
            List<TableCall.WriteBehind.Step> steps = new ArrayList<>();
            made.forEach(change -> steps.add(new TableCall.WriteBehind.Step(
                    first + steps.size(), change.time(), change.grant(), change.command())));
            return new TableCall.WriteBehind(window.client(), window.settled(), steps);
        });
    }

    private CompletableFuture<TableReply> change(
            String what, ChangeWindow window, int count, LongFunction<TableCall> call) {
        CompletableFuture<TableReply> reply = new CompletableFuture<>();
        boolean entered = window.enter(
                count,
                first -> until(() -> send(() -> call.apply(first))).whenComplete((answer, failure) -> {
                    if (failure != null && unclear) {
                        window.doubt();
                    }
                    if (failure == null) {
                        window.leave(first, count, answer);
                        reply.complete(answer);
                    } else {
                        window.leave(first, count);
                        reply.completeExceptionally(unclear(what, FencedStore.cause(failure)));
                    }
                }));
        return entered
                ? reply
                : CompletableFuture.failedFuture(new StorageException.TableUnavailable(
                        ChangeWindow.MAX_WAITING + " changes of this client wait already"));
    }

    private Throwable unclear(String what, Throwable failure) {
        return unclear && failure instanceof StorageException.TableUnavailable
                ? new StorageException.OutcomeUnknown(what, String.valueOf(failure.getMessage()))
                : failure;
    }

    private CompletableFuture<TableReply> send(Supplier<TableCall> call) {
        return leader.find()
                .thenCompose(found -> found.map(node -> send(node, call.get()))
                        .orElseGet(() -> CompletableFuture.failedFuture(
                                new WireException(WireCode.REFUSED, "no storage node leads the file table"))));
    }

    private CompletableFuture<TableReply> send(NodeId node, TableCall call) {
        Duration left = Duration.ofNanos(Math.max(1_000_000, end - clock.nanoTime()));
        return link.call(node, call, left.compareTo(oneTry) < 0 ? left : oneTry).exceptionallyCompose(failure -> {
            leader.doubt(node);
            return CompletableFuture.failedFuture(failure);
        });
    }

    /**
     * Tries a step until it is done, or fails for good, or the time is up.
     *
     * @return fails with {@link StorageException.TableUnavailable} if the time is up
     */
    <T> CompletableFuture<T> until(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(step, result);
        return result;
    }

    private <T> void attempt(Supplier<CompletableFuture<T>> step, CompletableFuture<T> result) {
        CompletableFuture<T> attempt;
        try {
            attempt = step.get();
        } catch (RuntimeException unsendable) {
            result.completeExceptionally(unsendable);
            return;
        }
        attempt.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                failed(step, result, FencedStore.cause(failure));
            }
        });
    }

    private <T> void failed(Supplier<CompletableFuture<T>> step, CompletableFuture<T> result, Throwable failure) {
        Throwable fatal = fatal(failure);
        if (fatal != null) {
            result.completeExceptionally(fatal);
        } else if (clock.nanoTime() + pause.toNanos() - end >= 0) {
            result.completeExceptionally(new StorageException.TableUnavailable(String.valueOf(failure.getMessage())));
        } else {
            Duration now = pause;
            pause = now.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? now.multipliedBy(2) : LONGEST_PAUSE;
            delay.after(now, () -> attempt(step, result));
        }
    }

    /** What no other try mends; null if one may. */
    private @Nullable Throwable fatal(Throwable failure) {
        return switch (failure) {
            case WireException wire -> fatal(wire);
            case CoordinationException coordination -> null;
            default -> failure;
        };
    }

    private @Nullable Throwable fatal(WireException wire) {
        String message = String.valueOf(wire.getMessage());
        return switch (wire.code()) {
            case REFUSED, BUSY -> null;
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, CORRUPT, GARBLED -> {
                unclear = true;
                yield null;
            }
            case NOT_FOUND -> new SessionOver(message, unclear);
            case NO_SPACE, MALFORMED, UNSUPPORTED_VERSION, UNKNOWN_TYPE, TOO_LARGE ->
                new StorageException.TableUnavailable(message);
        };
    }
}
