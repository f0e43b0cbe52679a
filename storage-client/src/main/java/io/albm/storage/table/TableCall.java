// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import org.jspecify.annotations.Nullable;

/** What a client sends the leader of the file table; JSON, in the body of a frame. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "call")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableCall.Ask.class, name = "ask"),
    @JsonSubTypes.Type(value = TableCall.Change.class, name = "change")
})
public sealed interface TableCall {
    /** A question. */
    record Ask(TableQuery<?> query) implements TableCall {
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
     */
    record Change(String client, long number, long settled, TableCommand<?> command) implements TableCall {
        public Change {
            require(client, "client");
            require(command, "command");
            TablePaths.checkClient(client);
            if (settled < 0 || number <= settled) {
                throw new IllegalArgumentException("change " + number + " of client " + client + " with " + settled
                        + " settled: expected 0 <= settled < number");
            }
        }
    }

    /** JSON may lack it. */
    private static void require(@Nullable Object value, String name) {
        if (value == null) {
            throw new IllegalArgumentException("a call without " + name);
        }
    }
}
