// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.concurrent.CompletableFuture;

/** The way from the coordinator to a job's supervisor. */
@FunctionalInterface
public interface SupervisorLink {
    /** Sends a command. The future fails, within a bound, if no answer comes. */
    CompletableFuture<Answer> tell(Command command);
}
