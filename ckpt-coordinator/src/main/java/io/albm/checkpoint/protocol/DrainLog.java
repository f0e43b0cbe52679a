// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a drain was like over time, in at most {@value #MOST} samples: when they are that many, every second one goes, and from
 * then on they are twice as far apart. Not thread-safe.
 */
final class DrainLog {
    static final int MOST = 64;

    private static final Duration FIRST_PERIOD = Duration.ofMillis(250);

    private final List<DrainSample> samples = new ArrayList<>();
    private final long began;
    private long period = FIRST_PERIOD.toNanos();
    private long due;

    /** @param now nanoseconds, when the drain begins */
    DrainLog(long now) {
        began = now;
        due = now;
    }

    /** Notes how it is, if that is due. */
    void sample(int window, long storedBytes, Network network, long now) {
        if (now - due < 0) {
            return;
        }
        if (samples.size() == MOST) {
            thinOut();
        }
        samples.add(new DrainSample(
                Duration.ofNanos(now - began).toMillis(),
                window,
                storedBytes,
                network.grantedBytesPerSecond(),
                network.slowestBytesPerSecond(),
                network.queueMicros(),
                network.retransmitShare()));
        due = now + period;
    }

    private void thinOut() {
        for (int at = samples.size() - 1; at > 0; at -= 2) {
            samples.remove(at);
        }
        period *= 2;
    }

    List<DrainSample> samples() {
        return List.copyOf(samples);
    }
}
