// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one place where a leader decides. */
interface Lane {
    /** Goes on there with an answer; a failure ends the leader's term. */
    <T> void then(CompletableFuture<T> answer, Consumer<T> next);

    /** Does something there later. */
    default void after(Duration time, Delay delay, Runnable step) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        delay.after(time, () -> due.complete(null));
        then(due, nothing -> step.run());
    }
}
