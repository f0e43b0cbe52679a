// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.TornStateException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletionException;

/** What became of a {@link HostTask}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TaskResult.Restored.class, name = "restored"),
    @JsonSubTypes.Type(value = TaskResult.Stored.class, name = "stored"),
    @JsonSubTypes.Type(value = TaskResult.Held.class, name = "held"),
    @JsonSubTypes.Type(value = TaskResult.Done.class, name = "done"),
    @JsonSubTypes.Type(value = TaskResult.Failed.class, name = "failed")
})
sealed interface TaskResult {
    /** What the rank will read. */
    record Restored(RestoredState state) implements TaskResult {}

    /** A rank's state is in the striped store. */
    record Stored(StoredUnit unit) implements TaskResult {}

    /** The ranks of other hosts whose copy is here. */
    record Held(Set<Integer> ranks) implements TaskResult {
        public Held {
            ranks = Set.copyOf(ranks);
        }
    }

    record Done() implements TaskResult {}

    /** It was not done; who still wants it asks again, under another number. */
    record Failed(Kind kind, String message) implements TaskResult {
        static Failed of(Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            Kind kind = cause instanceof LostDataException
                    ? Kind.LOST
                    : cause instanceof TornStateException ? Kind.TORN : Kind.UNREACHABLE;
            return new Failed(kind, String.valueOf(cause.getMessage()));
        }

        Exception toException() {
            return switch (kind) {
                case LOST -> new LostDataException(message);
                case TORN -> new TornStateException(message);
                case UNREACHABLE -> new IOException(message);
            };
        }
    }

    /** Why a task failed. */
    enum Kind {
        /** Stored bytes are gone: {@link LostDataException}. */
        LOST,
        /** A local copy is not what its rank wrote: {@link TornStateException}. */
        TORN,
        /** Anything that may be better at the next try. */
        UNREACHABLE
    }
}
