// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client sends the leader of the file table; JSON, in the body of a frame. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "call")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableCall.Ask.class, name = "ask"),
    @JsonSubTypes.Type(value = TableCall.Change.class, name = "change"),
    @JsonSubTypes.Type(value = TableCall.WriteBehind.class, name = "write-behind"),
    @JsonSubTypes.Type(value = TableCall.Lease.class, name = "lease"),
    @JsonSubTypes.Type(value = TableCall.Sync.class, name = "sync")
})
public sealed interface TableCall {
    /**
     * A question.
     *
     * @param client who asks, so that it need not wait for itself; null if it never had a session
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ask(@Nullable String client, TableQuery<?> query) implements TableCall {
        public Ask {
            require(query, "query");
        }
    }

    /**
     * A change, which is made once however often it is sent.
     *
     * @param client the name of the client's node under {@link TablePaths#CLIENTS}
     * @param number its own within the client, from 1
     * @param settled the client has, or will never want, the answers of this and all lower numbers; from 0, below
     *     {@code number}
     * @param early whether it may be answered when other nodes hold it in memory; otherwise it is durable then
     */
    record Change(
            String client,
            long number,
            long settled,
            TableCommand<?> command,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean early)
            implements TableCall {
        public Change {
            require(client, "client");
            require(command, "command");
            TablePaths.checkClient(client);
            requireUnsettled(client, number, settled);
        }

        /** The same with another command. */
        Change with(TableCommand<?> other) {
            return new Change(client, number, settled, other, early);
        }
    }

    /**
     * Changes that the client has made and answered by itself, in directories that it has alone. They are made in their order, each
     * once. Answered when other nodes hold them, by the first refusal if there is one: no program may hear of it any
     * more, so it is {@link io.albm.storage.TableRefusal.Reason#LOST} where it is not the table's own.
     *
     * @param settled as in {@link Change}
     * @param steps 1 to {@value #MOST_STEPS}
     */
    record WriteBehind(String client, long settled, List<Step> steps) implements TableCall {
        static final int MOST_STEPS = 200;

        /**
         * One of them.
         *
         * @param number as in {@link Change}
         * @param time when it was made
         * @param grant the last lease that the client knew of then
         */
        record Step(long number, Instant time, Grant grant, TableCommand<?> command) {
            public Step {
                grant = grant == null ? Grant.NONE : grant;
                require(time, "time");
                require(command, "command");
            }
        }

        public WriteBehind {
            require(client, "client");
            require(steps, "steps");
            TablePaths.checkClient(client);
            if (steps.isEmpty() || steps.size() > MOST_STEPS) {
                throw new IllegalArgumentException(steps.size() + " changes; expected 1 to " + MOST_STEPS);
            }
            for (Step step : steps) {
                require(step, "step");
                requireUnsettled(client, step.number(), settled);
            }
            steps = List.copyOf(steps);
        }

        /** A step as a change by itself. */
        Change change(Step step) {
            return new Change(client, step.number(), settled, step.command(), true);
        }
    }

    /**
     * A client that has or wants leases on directories says that it is there. The answer comes when it has to be told of a
     * recall, or after {@link LeaseDesk#PATIENCE}; at once if it wants a lease, or has none.
     *
     * @param client as in {@link Change}
     * @param epoch of the leadership whose recalls {@code confirmed} counts, and whose grants {@code returned}
     * @param confirmed it has heard of, and obeyed, all recalls up to this number, and sent what it had changed by then
     * @param returned it has none of the leases that were given up to this number, takes none of them that comes later, and
     *     has sent what it had changed by them
     * @param settled as in {@link Change}; a change with such a number that comes later is refused
     * @param directory of which it wants a lease; 0 if of none
     */
    record Lease(
            String client,
            long epoch,
            long confirmed,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long returned,
            long settled,
            long directory)
            implements TableCall {
        public Lease {
            require(client, "client");
            TablePaths.checkClient(client);
        }
    }

    /**
     * Is answered when all that was answered before is durable; refused with
     * {@link io.albm.storage.TableRefusal.Reason#LOST} if one of the changes is not known to the table.
     *
     * @param numbers changes of the client that were answered and that it has not settled, at most
     *     {@value TableMachine#MAX_UNSETTLED}
     */
    record Sync(String client, List<Long> numbers) implements TableCall {
        public Sync {
            require(client, "client");
            require(numbers, "numbers");
            TablePaths.checkClient(client);
            if (numbers.size() > TableMachine.MAX_UNSETTLED) {
                throw new IllegalArgumentException(
                        numbers.size() + " changes; expected at most " + TableMachine.MAX_UNSETTLED);
            }
            numbers = List.copyOf(numbers);
        }
    }

    private static void requireUnsettled(String client, long number, long settled) {
        if (settled < 0 || number <= settled) {
            throw new IllegalArgumentException("change " + number + " of client " + client + " with " + settled
                    + " settled: expected 0 <= settled < number");
        }
    }

    /** JSON may lack it. */
    private static void require(@Nullable Object value, String name) {
        if (value == null) {
            throw new IllegalArgumentException("a call without " + name);
        }
    }
}
