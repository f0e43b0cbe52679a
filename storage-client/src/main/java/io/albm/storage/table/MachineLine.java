// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line of a snapshot: one of the state, one client's session, or how far it goes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MachineLine(
        @Nullable SavedLine state,
        @Nullable Session session,
        @Nullable Extent extent) {
    record Session(String client, long settled, Map<Long, TableOutcome> unsettled) {}

    /**
     * How much of the log is in it.
     *
     * @param entries how many
     * @param term the epoch of the last {@link LogEntry.Term}
     */
    record Extent(long entries, long term) {}

    static MachineLine of(SavedLine line) {
        return new MachineLine(line, null, null);
    }

    static MachineLine of(Session session) {
        return new MachineLine(null, session, null);
    }

    static MachineLine of(Extent extent) {
        return new MachineLine(null, null, extent);
    }
}
