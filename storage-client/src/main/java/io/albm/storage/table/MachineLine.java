// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line of a snapshot: one of the state, or one client's session. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MachineLine(@Nullable SavedLine state, @Nullable Session session) {
    record Session(String client, long settled, Map<Long, TableOutcome> unsettled) {}

    static MachineLine of(SavedLine line) {
        return new MachineLine(line, null);
    }

    static MachineLine of(Session session) {
        return new MachineLine(null, session);
    }
}
