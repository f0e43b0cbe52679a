// SPDX-License-Identifier: Apache-2.0
package io.albm.core.time;

/**
 * Time that only moves forward. Decisions take it by constructor, so that a simulation turns it by hand.
 *
 * <p>Implementations are safe for use by many threads.
 */
@FunctionalInterface
public interface MonotonicClock {
    /** Nanoseconds since an arbitrary origin: only differences mean anything, and they may overflow like a {@code long}. */
    long nanoTime();

    /** The clock of this machine. */
    static MonotonicClock system() {
        return System::nanoTime;
    }
}
