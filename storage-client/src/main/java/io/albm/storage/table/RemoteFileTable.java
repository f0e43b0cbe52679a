// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.storage.FileTable;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file table as a client has it: finds the leader, asks it, and asks the next one if that fails, until a deadline. A change
 * is sent with the same number until it is answered, so it is made once.
 *
 * <p>A client is known by an ephemeral node, made before its first change. When the node is lost with the client's session, the
 * next change begins another one; what the client had announced or kept is over then, and {@link TableCommand.Store} and
 * {@link TableCommand.Publish} are told so.
 *
 * <p>Thread-safe, never blocks.
 */
public final class RemoteFileTable implements FileTable, AutoCloseable {
    /** How a storage node announces where it serves the table. */
    public static final String ENDPOINT = "table";

    /** Bound on each request, unless another is given. */
    public static final Duration DEADLINE = Duration.ofSeconds(30);

    private final CoordinationStore store;
    private final TableLink link;
    private final Delay delay;
    private final MonotonicClock clock;
    private final Supplier<String> names;
    private final Duration deadline;
    private final LeaderLookup leader;
    private final AtomicReference<@Nullable CompletableFuture<ChangeWindow>> session = new AtomicReference<>();
    private final FileTable early = new Early();
    private final TableSyncs syncs = new TableSyncs(this::syncNow);

    /**
     * @param names a new name at each call that no other client has or had: 1 to 63 characters of a-z, 0-9 and '-'
     * @param deadline bound on each request
     */
    public RemoteFileTable(
            CoordinationStore store,
            TableLink link,
            Delay delay,
            MonotonicClock clock,
            Supplier<String> names,
            Duration deadline) {
        this.store = store;
        this.link = link;
        this.delay = delay;
        this.clock = clock;
        this.names = names;
        this.deadline = deadline;
        this.leader = new LeaderLookup(store);
    }

    /** A table with the time and the randomness of this machine, and {@link #DEADLINE}. */
    public RemoteFileTable(CoordinationStore store, TableLink link) {
        this(
                store,
                link,
                Delay.system(),
                MonotonicClock.system(),
                () -> UUID.randomUUID().toString(),
                DEADLINE);
    }

    /** The table of a cluster, whichever ensemble it is in. Cluster and client stay the caller's, who closes them. */
    public static RemoteFileTable open(Cluster cluster, FrameClient client) {
        return open(new TableStore(cluster, (ensemble, servers) -> {}), client);
    }

    static RemoteFileTable open(TableStore store, FrameClient client) {
        return new RemoteFileTable(store, new WireTableLink(client, store::address));
    }

    @Override
    public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
        return ask(request, false);
    }

    @Override
    public FileTable early() {
        return early;
    }

    /** Changes that were answered early by {@link #early}; all others are durable. */
    @Override
    public CompletableFuture<Void> sync() {
        return syncs.sync();
    }

    private final class Early implements FileTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return RemoteFileTable.this.ask(request, true);
        }

        @Override
        public CompletableFuture<Void> sync() {
            return syncs.sync();
        }
    }

    private <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request, boolean answeredEarly) {
        return send(request, answeredEarly).thenApply(reply -> reply.outcome().get(request.answer()));
    }

    /**
     * As {@link #ask}, with all that the leader says.
     *
     * @param answeredEarly as by {@link #early}
     */
    CompletableFuture<TableReply> send(TableRequest<?> request, boolean answeredEarly) {
        TableAttempts attempts = attempts(deadline);
        return switch (request) {
            case TableQuery<?> query -> attempts.ask(client(), query);
            case TableCommand<?> command -> change(command, answeredEarly, attempts);
        };
    }

    private @Nullable String client() {
        ChangeWindow window = window();
        return window == null ? null : window.client();
    }

    private @Nullable ChangeWindow window() {
        CompletableFuture<ChangeWindow> now = session.get();
        return now != null && now.isDone() && !now.isCompletedExceptionally() ? now.join() : null;
    }

    /**
     * Has changes made that were answered already. If they cannot be, every {@link #sync} from then on fails.
     *
     * @param client whose session it was when they were answered
     * @return fails if one of them was not made, or nobody knows
     */
    CompletableFuture<Void> writeBehind(String client, List<WriteBehind.Made> made) {
        // Another try has to come while the lease lasts.
        TableAttempts attempts =
                new TableAttempts(leader, link, delay, clock, deadline, DirectoryLeases.TERM.dividedBy(3));
        return session(attempts)
                .thenCompose(window -> {
                    if (!window.client().equals(client)) {
                        throw new TableAttempts.SessionOver("the session of client " + client + " is over", false);
                    }
                    prove(window);
                    return attempts.writeBehind(made, window).whenComplete((reply, failure) -> {
                        if (failure != null && FencedStore.cause(failure) instanceof TableAttempts.SessionOver) {
                            forget(window);
                        }
                    });
                })
                .thenAccept(reply -> reply.outcome().get(TableAnswer.Done.class))
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        syncs.lose(made.size() + " changes that were answered could not all be made: "
                                + FencedStore.cause(failure).getMessage());
                    }
                });
    }

    private TableAttempts attempts(Duration patience) {
        return new TableAttempts(leader, link, delay, clock, patience);
    }

    /**
     * Asks for leases, for as long as one lasts.
     *
     * @return fails as {@link #ask} does, and with {@link StorageException.TableUnavailable} as long as a change may be made
     *     yet whose outcome is unknown: a lease would hide it
     */
    CompletableFuture<LeaseReply> lease(Function<ChangeWindow, TableCall.Lease> call) {
        TableAttempts attempts = attempts(DirectoryLeases.TERM);
        return session(attempts).thenCompose(window -> {
            if (window.isInDoubt()) {
                syncs.sync();
            }
            return attempts.lease(call, window).whenComplete((reply, failure) -> {
                if (failure != null && FencedStore.cause(failure) instanceof TableAttempts.SessionOver) {
                    forget(window);
                }
            });
        });
    }

    private CompletableFuture<TableReply> change(
            TableCommand<?> command, boolean answeredEarly, TableAttempts attempts) {
        return session(attempts)
                .thenCompose(window -> change(command, answeredEarly, attempts, window)
                        .exceptionallyCompose(failure -> {
                            Throwable cause = FencedStore.cause(failure);
                            if (cause instanceof TableAttempts.SessionOver over) {
                                forget(window);
                                return over.isUnclear()
                                        ? CompletableFuture.failedFuture(new StorageException.OutcomeUnknown(
                                                TableAttempts.name(command), String.valueOf(over.getMessage())))
                                        : change(command, answeredEarly, attempts);
                            }
                            return CompletableFuture.failedFuture(cause);
                        }));
    }

    private CompletableFuture<TableReply> change(
            TableCommand<?> command, boolean answeredEarly, TableAttempts attempts, ChangeWindow window) {
        prove(window);
        return attempts.change(command, window, answeredEarly);
    }

    /** Before the window is full of what no answer to a later change tells of. */
    private void prove(ChangeWindow window) {
        if (window.isUnproven()) {
            syncs.sync();
        }
    }

    /** Asks the leader whether what was answered early is durable, and waits until it is. */
    private CompletableFuture<Void> syncNow() {
        ChangeWindow window = window();
        List<Long> numbers = window == null ? List.of() : window.undurable();
        if (window == null || numbers.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return attempts(deadline).sync(window.client(), numbers).handle((outcome, failure) -> {
            if (failure == null && outcome.refused() == null) {
                window.settle(numbers);
            } else if (failure == null) {
                syncs.lose(String.valueOf(outcome.why()));
                window.settle(numbers);
            } else {
                throw new CompletionException(FencedStore.cause(failure));
            }
            return null;
        });
    }

    private CompletableFuture<ChangeWindow> session(TableAttempts attempts) {
        CompletableFuture<ChangeWindow> mine = new CompletableFuture<>();
        CompletableFuture<ChangeWindow> other = session.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        attempts.until(this::register).whenComplete((window, failure) -> {
            if (failure == null) {
                mine.complete(window);
            } else {
                session.compareAndSet(mine, null);
                mine.completeExceptionally(FencedStore.cause(failure));
            }
        });
        return mine;
    }

    /** If the outcome is unknown the next try takes another name: a name is never made twice. */
    private CompletableFuture<ChangeWindow> register() {
        String name = names.get();
        return store.commit(List.of(new Operation.Create(TablePaths.client(name), new byte[0], true)))
                .thenApply(nothing -> new ChangeWindow(name, syncs::sync));
    }

    /** Nobody can tell any more whether what it was answered early is durable. */
    private void forget(ChangeWindow window) {
        if (!window.undurable().isEmpty()) {
            syncs.lose(
                    "the session of client " + window.client() + " ended before all that it was answered was durable");
        }
        CompletableFuture<ChangeWindow> now = session.get();
        if (now != null && now.isDone() && now.join() == window) {
            session.compareAndSet(now, null);
        }
        window.end();
    }

    /** Ends the client's session: what it announced or kept is over. */
    @Override
    public void close() {
        leader.close();
        CompletableFuture<ChangeWindow> last = session.getAndSet(null);
        if (last != null) {
            last.thenCompose(window ->
                    store.commit(List.of(new Operation.Delete(TablePaths.client(window.client()), Operation.ANY))));
        }
    }
}
