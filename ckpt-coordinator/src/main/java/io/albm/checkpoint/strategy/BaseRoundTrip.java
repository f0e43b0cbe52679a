// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.time.Duration;
import java.util.Arrays;

/**
 * The round trip of a path without a queue: the least that was seen in the last {@value #MINUTES} minutes. It is kept by the
 * minute, and a minute that is over by more than that is forgotten, so that a path that has become longer is believed, and
 * a queue that others keep full for a short time is not taken for the path.
 *
 * <p>Source: RFC 6817 (LEDBAT), section 3.4.2, "BASE_HISTORY". Not thread-safe; time comes from outside, in nanoseconds.
 */
public final class BaseRoundTrip {
    /** How long a round trip is remembered. */
    static final int MINUTES = 10;

    /** Nothing was seen. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final long[] leastByMinute = new long[MINUTES];
    private final long start;
    private long minute;
    private long least = UNKNOWN;

    /** @param now the present */
    public BaseRoundTrip(long now) {
        start = now;
        Arrays.fill(leastByMinute, UNKNOWN);
    }

    /** Takes a round trip that was measured. */
    public void seen(long roundTripNanos, long now) {
        age(now);
        int slot = slot(minute);
        leastByMinute[slot] = Math.min(leastByMinute[slot], roundTripNanos);
        least = Math.min(least, roundTripNanos);
    }

    /** The least of the last minutes in nanoseconds, or {@link #UNKNOWN}. */
    public long nanos(long now) {
        age(now);
        return least;
    }

    private void age(long now) {
        long present = (now - start) / MINUTE_NANOS;
        long forgotten = Math.min(present - minute, MINUTES);
        for (long ago = 0; ago < forgotten; ago++) {
            leastByMinute[slot(present - ago)] = UNKNOWN;
        }
        if (forgotten > 0) {
            minute = present;
            least = Arrays.stream(leastByMinute).min().orElse(UNKNOWN);
        }
    }

    private static int slot(long minute) {
        return (int) (minute % MINUTES);
    }
}
