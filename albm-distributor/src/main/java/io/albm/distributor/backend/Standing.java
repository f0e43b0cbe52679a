// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

/** Whether a backend takes new requests, and why not. */
public sealed interface Standing {
    /**
     * It does.
     *
     * @param share of its requests, above 0; below 1 during slow start
     */
    record Serving(double share) implements Standing {}

    /** It does because too few others can, although it should not. */
    record Panicking(Standing despite) implements Standing {}

    /** Health checks, or connections of requests, fail. */
    record Down(String reason) implements Standing {}

    /**
     * Requests fail that it was sent.
     *
     * @param untilNanos when it may come back
     */
    record Ejected(String reason, long untilNanos) implements Standing {}

    /** Somebody said that it should finish and get nothing new. */
    record Draining(String who) implements Standing {}

    /** Whether it takes new requests. */
    default boolean takesRequests() {
        return switch (this) {
            case Serving serving -> true;
            case Panicking panicking -> true;
            case Down down -> false;
            case Ejected ejected -> false;
            case Draining draining -> false;
        };
    }

    /** The share of its requests that it takes, above 0 to 1. */
    default double share() {
        return this instanceof Serving(double share) ? share : 1;
    }
}
