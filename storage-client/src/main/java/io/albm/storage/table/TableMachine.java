// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.TableQuery;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the log replicates: the table, and what makes a change that is sent twice happen once (linearizable sessions, Ongaro's
 * thesis on Raft, section 6.3). The same entries in the same order make the same machine. Not thread-safe.
 */
final class TableMachine {
    /** Changes of one client whose outcomes are kept for it. */
    static final int MAX_UNSETTLED = 4096;

    private static final TableOutcome NOTHING = new TableOutcome(null, null, null);

    private final TableState state;
    private final Map<String, ClientSession> sessions = new HashMap<>();
    private long entries;
    private long term;

    TableMachine(long maxInodes) {
        this(new TableState(maxInodes));
    }

    private TableMachine(TableState state) {
        this.state = state;
    }

    /**
     * How the change went if it was made before; null if it is new.
     *
     * @throws WireException if it must not be made: the client has said that it is done with it, or has too many others
     */
    @Nullable
    TableOutcome before(TableCall.Change change) {
        ClientSession session = sessions.get(change.client());
        if (session == null) {
            return null;
        }
        TableOutcome outcome = session.outcome(change.number());
        if (outcome == null && session.isSettled(change.number())) {
            throw new WireException(
                    WireCode.REFUSED, "change " + change.number() + " of client " + change.client() + " is settled");
        }
        if (outcome == null && session.unsettled(change.settled()) >= MAX_UNSETTLED) {
            throw new WireException(
                    WireCode.BUSY,
                    "client " + change.client() + " has " + MAX_UNSETTLED
                            + " changes whose answers it has not said to have: settle some first");
        }
        return outcome;
    }

    /** Whether the client's changes were made; what it has settled since, it knows to be. */
    boolean hasMade(String client, List<Long> numbers) {
        ClientSession session = sessions.get(client);
        return session == null
                ? numbers.isEmpty()
                : numbers.stream().allMatch(number -> session.isSettled(number) || session.outcome(number) != null);
    }

    /** Makes a step. */
    TableOutcome apply(LogEntry entry) {
        entries++;
        return switch (entry) {
            case LogEntry.Change change -> apply(change);
            case LogEntry.End end -> end(end.client());
            case LogEntry.Term begun -> begin(begun.epoch());
            case LogEntry.Overruled lost -> {
                state.overrulings().add(lost.client(), lost.directories(), lost.last());
                yield NOTHING;
            }
            case LogEntry.Past past -> {
                state.overrulings().pass(past.epoch());
                yield NOTHING;
            }
        };
    }

    /** How many steps were made, since the table is there. */
    long entries() {
        return entries;
    }

    /** The epoch of the leader that began last. */
    long term() {
        return term;
    }

    private TableOutcome begin(long epoch) {
        term = epoch;
        return NOTHING;
    }

    private TableOutcome apply(LogEntry.Change change) {
        TableOutcome outcome = TableOutcome.of(() -> state.apply(change.client(), change.command(), change.time()));
        sessions.computeIfAbsent(change.client(), client -> new ClientSession())
                .record(change.number(), change.settled(), outcome);
        return outcome;
    }

    private TableOutcome end(String client) {
        state.endSession(client);
        sessions.remove(client);
        return NOTHING;
    }

    TableState state() {
        return state;
    }

    /** @param client who asks, as for {@link TableState#answer} */
    TableOutcome answer(@Nullable String client, TableQuery<?> query) {
        return TableOutcome.of(() -> state.answer(client, query));
    }

    /** Those that have a session here. */
    Set<String> clients() {
        Set<String> clients = new HashSet<>(state.clients());
        clients.addAll(sessions.keySet());
        return clients;
    }

    void save(Consumer<MachineLine> lines) {
        state.save(line -> lines.accept(MachineLine.of(line)));
        sessions.forEach((client, session) -> lines.accept(MachineLine.of(session.saved(client))));
        lines.accept(MachineLine.of(new MachineLine.Extent(entries, term)));
    }

    static TableMachine load(long maxInodes, Iterator<MachineLine> lines) {
        StateLines stateLines = new StateLines(lines);
        TableMachine machine = new TableMachine(TableState.load(maxInodes, stateLines));
        machine.sessions.putAll(stateLines.sessions);
        machine.entries = stateLines.extent.entries();
        machine.term = stateLines.extent.term();
        return machine;
    }

    /** The lines of the state; the others are put aside on the way. */
    private static final class StateLines implements Iterator<SavedLine> {
        private final Iterator<MachineLine> lines;
        private final Map<String, ClientSession> sessions = new HashMap<>();
        private MachineLine.Extent extent = new MachineLine.Extent(0, 0);
        private @Nullable SavedLine next;

        StateLines(Iterator<MachineLine> lines) {
            this.lines = lines;
        }

        @Override
        public boolean hasNext() {
            while (next == null && lines.hasNext()) {
                MachineLine line = lines.next();
                next = line.state();
                extent = Objects.requireNonNullElse(line.extent(), extent);
                MachineLine.Session session = line.session();
                if (session != null) {
                    sessions.put(session.client(), new ClientSession(session));
                }
            }
            return next != null;
        }

        @Override
        public SavedLine next() {
            SavedLine line = hasNext() ? next : null;
            if (line == null) {
                throw new NoSuchElementException();
            }
            next = null;
            return line;
        }
    }
}
