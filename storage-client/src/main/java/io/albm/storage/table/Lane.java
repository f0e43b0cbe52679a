// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one place where a leader decides. */
interface Lane {
    /** Goes on there with an answer; a failure ends the leader's term. */
    <T> void then(CompletableFuture<T> answer, Consumer<T> next);
}
