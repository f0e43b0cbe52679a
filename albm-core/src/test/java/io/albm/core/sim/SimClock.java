// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import io.albm.core.time.MonotonicClock;
import java.time.Duration;

/** Virtual time in nanoseconds since the simulation began. Only the simulation moves it. */
public final class SimClock implements MonotonicClock {
    private long now;

    @Override
    public long nanoTime() {
        return now;
    }

    /** Virtual time since the simulation began. */
    public Duration elapsed() {
        return Duration.ofNanos(now);
    }

    void moveTo(long nanos) {
        if (nanos < now) {
            throw new IllegalArgumentException("time runs back from " + now + " to " + nanos);
        }
        now = nanos;
    }
}
