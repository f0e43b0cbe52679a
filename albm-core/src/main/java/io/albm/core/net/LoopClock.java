// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.albm.core.time.MonotonicClock;

/**
 * One event loop's time: read once per event, asked as often as one likes. Within one event no time passes that matters
 * to a timeout. Confined to its event loop.
 */
public final class LoopClock {
    private final MonotonicClock clock;
    private long now;

    public LoopClock(MonotonicClock clock) {
        this.clock = clock;
        this.now = clock.nanoTime();
    }

    /** Reads the clock: to be called where the loop begins with an event. */
    public long tick() {
        now = clock.nanoTime();
        return now;
    }

    /** When this event began. */
    public long now() {
        return now;
    }
}
