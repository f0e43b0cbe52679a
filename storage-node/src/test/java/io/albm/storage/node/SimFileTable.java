// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import io.albm.storage.table.TableState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The file table of a simulated world: the production {@link TableState}, which changes when the simulated directory applies
 * the transaction that carries the command. So it has the directory's faults: commits that break and are applied, are not,
 * or are later still, and sessions that end.
 */
final class SimFileTable implements WorldTable {
    private static final String LOG = "/storage/table/log";
    private static final String CLIENTS = "/storage/table/clients/";
    private static final byte[] NOTHING = {};
    private static final int MAX_ATTEMPTS = 10;

    private final Simulation simulation;
    private final TableState state = new TableState(1_000_000);
    private final Map<Long, Outcome> outcomes = new HashMap<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private long number;

    /** A command on its way; the number tells its attempts from other commands. */
    private record Entry(long number, String client, TableCommand<?> command) {}

    private record Outcome(
            @Nullable TableAnswer answer, @Nullable TableRefusal refusal) {}

    SimFileTable(Simulation simulation, SimDirectory directory) {
        this.simulation = simulation;
        directory.apply(List.of(new Operation.Create(LOG, NOTHING, false)));
        directory.observe(operations -> operations.forEach(this::applied));
    }

    @Override
    public TableState state() {
        return state;
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public FileTable of(SimNode process, CoordinationStore session) {
        return new Client(session, "client-" + number++);
    }

    private void applied(Operation operation) {
        if (operation instanceof Operation.Set set && set.path().equals(LOG)) {
            Entry entry = Json.read(set.data(), Entry.class);
            outcomes.computeIfAbsent(entry.number(), first -> apply(entry));
            listeners.forEach(Runnable::run);
        } else if (operation instanceof Operation.Delete gone && gone.path().startsWith(CLIENTS)) {
            state.endSession(gone.path().substring(CLIENTS.length()));
            listeners.forEach(Runnable::run);
        }
    }

    private Outcome apply(Entry entry) {
        try {
            Instant now = Instant.EPOCH.plusNanos(simulation.clock().nanoTime());
            return new Outcome(state.apply(entry.client(), entry.command(), now), null);
        } catch (TableRefusal refusal) {
            return new Outcome(null, refusal);
        }
    }

    private final class Client implements FileTable {
        private final CoordinationStore session;
        private final String id;
        private @Nullable CompletableFuture<Void> registered;

        Client(CoordinationStore session, String id) {
            this.session = session;
            this.id = id;
        }

        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            CompletableFuture<TableAnswer> answer = switch (request) {
                case TableQuery<?> query -> session.read(LOG).thenApply(read -> state.answer(query));
                case TableCommand<?> command ->
                    registered().thenCompose(there -> attempt(new Entry(number++, id, command), 1));
            };
            return answer.thenApply(request.answer()::cast)
                    .exceptionallyCompose(failure -> CompletableFuture.failedFuture(translated(failure)));
        }

        private CompletableFuture<Void> registered() {
            if (registered == null || registered.isCompletedExceptionally()) {
                registered = session.commit(List.of(new Operation.Create(CLIENTS + id, NOTHING, true)))
                        .exceptionallyCompose(failure -> cause(failure) instanceof CoordinationException.NodeExists
                                ? CompletableFuture.completedFuture(null)
                                : CompletableFuture.failedFuture(failure));
            }
            return registered;
        }

        private CompletableFuture<TableAnswer> attempt(Entry entry, int attempt) {
            return session.commit(List.of(
                            new Operation.Check(CLIENTS + id, Operation.ANY),
                            new Operation.Set(LOG, Json.bytes(entry), Operation.ANY)))
                    .thenApply(done -> outcome(entry))
                    .exceptionallyCompose(failure -> switch (cause(failure)) {
                        case CoordinationException.OutcomeUnknown _
                        when attempt < MAX_ATTEMPTS -> attempt(entry, attempt + 1);
                        case CoordinationException.Unavailable away when attempt > 1 -> unknown(away);
                        case CoordinationException.NoSuchNode over when attempt > 1 -> unknown(over);
                        case Throwable other -> CompletableFuture.failedFuture(other);
                    });
        }

        /** Of the attempts before nobody knows whether one was made. */
        private static <T> CompletableFuture<T> unknown(CoordinationException last) {
            return CompletableFuture.failedFuture(
                    new CoordinationException.OutcomeUnknown(String.valueOf(last.getMessage())));
        }

        private TableAnswer outcome(Entry entry) {
            Outcome outcome = outcomes.get(entry.number());
            if (outcome == null) {
                throw new IllegalStateException("applied and not seen: " + entry);
            }
            if (outcome.answer() == null) {
                throw outcome.refusal() == null ? new IllegalStateException() : outcome.refusal();
            }
            return outcome.answer();
        }

        private Throwable translated(Throwable failure) {
            return switch (cause(failure)) {
                case CoordinationException.OutcomeUnknown unknown ->
                    new StorageException.OutcomeUnknown("file table", String.valueOf(unknown.getMessage()));
                case CoordinationException.Unavailable away ->
                    new StorageException.TableUnavailable(String.valueOf(away.getMessage()));
                case CoordinationException.NoSuchNode over -> new StorageException.WriteExpired(id);
                case Throwable other -> other;
            };
        }

        private static Throwable cause(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }
    }
}
