// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableRefusal;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the table took a request: an answer, or a refusal with its reason.
 *
 * @param answer null if it was refused
 * @param refused null if it was answered
 * @param why the refusal in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TableOutcome(
        @Nullable TableAnswer answer,
        TableRefusal.@Nullable Reason refused,
        @Nullable String why) {

    static TableOutcome of(Supplier<TableAnswer> work) {
        try {
            return new TableOutcome(work.get(), null, null);
        } catch (TableRefusal refusal) {
            return refused(refusal.reason(), String.valueOf(refusal.getMessage()));
        }
    }

    static TableOutcome refused(TableRefusal.Reason reason, String why) {
        return new TableOutcome(null, reason, why);
    }

    /**
     * The answer.
     *
     * @throws TableRefusal if the table refused
     * @throws RuntimeException if it answered something else
     */
    public <A extends TableAnswer> A get(Class<A> type) {
        if (refused != null) {
            throw new TableRefusal(refused, String.valueOf(why));
        }
        return type.cast(Objects.requireNonNull(answer, "an answer"));
    }
}
