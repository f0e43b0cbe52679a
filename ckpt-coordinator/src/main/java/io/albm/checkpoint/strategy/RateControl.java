// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The rate at which one I/O node grants credit while a checkpoint drains: additive increase, multiplicative decrease on two
 * signals, one step every {@link #STEP}.
 *
 * <p>A probe that took {@link #QUEUE} longer than the path without a queue says that a queue stands at the node's port, before
 * anything is lost; on a slow port that is as long as {@link #QUEUE_BYTES} take: a few streams whose segments come by chance at the same time are
 * no queue that stands. Segments sent again say that it overflows. Either one: the rate becomes four fifths. Else it
 * grows by a twentieth of the port's speed, up to the share that checkpoints may have. Goodput alone is no signal: where other
 * traffic takes what is left over, less of one's own looks like less of the link.
 *
 * <p>{@link Politeness#POLITE} takes more than 1 % of segments sent again for too many, and yields down to one step, so that every
 * checkpoint ends. {@link Politeness#FAST} ignores the round trip, takes more than 5 % for too many, since TCP repairs less than that
 * in passing and yielding costs more, and yields no further than to half of its share: losses that the others' traffic
 * causes do not end because the checkpoint stops.
 *
 * <p>The rate begins at the share, since a port that nobody else uses carries that, and stays from one checkpoint to the next.
 * Source: AIMD by Chiu and Jain (1989); delay as the signal as in RFC 6817 (LEDBAT). O(1) per step; not thread-safe.
 */
public final class RateControl {
    /** Time between two steps. */
    public static final Duration STEP = Duration.ofMillis(250);

    /** The queue that is too long, as time at the port. */
    public static final Duration QUEUE = Duration.ofMillis(2);

    /** The queue that is not too long on any port: a full segment of each of 16 streams. */
    static final int QUEUE_BYTES = 16 * 1514;

    static final double DECREASE = 0.8;
    static final double INCREASE = 0.05;
    static final double POLITE_RETRANSMITS = 0.01;
    static final double FAST_RETRANSMITS = 0.05;
    static final double FAST_LEAST = 0.5;

    private final PaceSettings settings;
    private final BaseRoundTrip base;
    private double bytesPerSecond;

    /** @param now nanoseconds of a monotonic clock, as in all methods */
    public RateControl(PaceSettings settings, long now) {
        this.settings = settings;
        this.base = new BaseRoundTrip(now);
        this.bytesPerSecond = settings.mostBytesPerSecond();
    }

    /** A probe came back. */
    public void probed(long roundTripNanos, long now) {
        base.seen(roundTripNanos, now);
    }

    /**
     * One step.
     *
     * @param roundTripNanos the least of the probes since the last step, or for how long one has been on its way
     * @param retransmitShare of the segments that writers sent since the last step, 0 to 1
     */
    public void step(long roundTripNanos, double retransmitShare, long now) {
        bytesPerSecond = isTooFast(roundTripNanos, retransmitShare, now)
                ? Math.max(least(), bytesPerSecond * DECREASE)
                : Math.min(settings.mostBytesPerSecond(), bytesPerSecond + settings.portBytesPerSecond() * INCREASE);
    }

    private boolean isTooFast(long roundTripNanos, double retransmitShare, long now) {
        long path = base.nanos(now);
        boolean isQueued = path != BaseRoundTrip.UNKNOWN && roundTripNanos > path + queueNanos();
        return switch (settings.politeness()) {
            case POLITE -> isQueued || retransmitShare > POLITE_RETRANSMITS;
            case FAST -> retransmitShare > FAST_RETRANSMITS;
        };
    }

    private double queueNanos() {
        return Math.max(
                (double) QUEUE.toNanos(), QUEUE_BYTES / settings.portBytesPerSecond() * TimeUnit.SECONDS.toNanos(1));
    }

    private double least() {
        return switch (settings.politeness()) {
            case POLITE -> Math.min(settings.mostBytesPerSecond(), settings.portBytesPerSecond() * INCREASE);
            case FAST -> settings.mostBytesPerSecond() * FAST_LEAST;
        };
    }

    /** At which to grant now. */
    public double bytesPerSecond() {
        return bytesPerSecond;
    }

    /** The path without a queue, in nanoseconds; 0 if no probe ever came back. */
    public long baseNanos(long now) {
        long path = base.nanos(now);
        return path == BaseRoundTrip.UNKNOWN ? 0 : path;
    }
}
