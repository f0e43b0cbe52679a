// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.storage.TableCommand;
import java.time.Instant;
import java.util.Set;

/** One line of the log: a step of the {@link TableMachine}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "entry")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LogEntry.Change.class, name = "change"),
    @JsonSubTypes.Type(value = LogEntry.End.class, name = "end"),
    @JsonSubTypes.Type(value = LogEntry.Term.class, name = "term"),
    @JsonSubTypes.Type(value = LogEntry.Overruled.class, name = "overruled"),
    @JsonSubTypes.Type(value = LogEntry.Past.class, name = "past")
})
sealed interface LogEntry {
    /** A client's change, as in {@link TableCall.Change}, at the time that the leader gave it. */
    record Change(String client, long number, long settled, Instant time, TableCommand<?> command)
            implements LogEntry {}

    /** A client's session is over. */
    record End(String client) implements LogEntry {}

    /** A leader has begun, with all before this entry; what else was held of lower epochs is nothing any more. */
    record Term(long epoch) implements LogEntry {}

    /** Others go on without what a client may have changed in these directories, see {@link Overrulings#add}. */
    record Overruled(String client, Set<Long> directories, Grant last) implements LogEntry {}

    /** All go on without what clients may have changed under leases of leaders before that epoch. */
    record Past(long epoch) implements LogEntry {}
}
