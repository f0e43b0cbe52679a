// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

/** What health checks make of a backend. */
public sealed interface Health {
    /** Not checked yet. It gets requests, since it has just announced itself; the first check decides. */
    record Unproven() implements Health {}

    /** Answers. */
    record Up() implements Health {}

    /**
     * Does not answer, or badly.
     *
     * @param reason what the check saw that took it down
     * @param answers whether the last check got an answer at all
     * @param sinceNanos when it was found
     */
    record Down(String reason, boolean answers, long sinceNanos) implements Health {}

    /** Whether it may get requests. */
    default boolean serves() {
        return switch (this) {
            case Unproven unproven -> true;
            case Up up -> true;
            case Down down -> false;
        };
    }
}
