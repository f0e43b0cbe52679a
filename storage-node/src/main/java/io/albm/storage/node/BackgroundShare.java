// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.concurrent.TimeUnit;

/**
 * How much of an I/O node background work gets: all of it while nobody else wants anything, and a fifth of its time while
 * somebody does. Then one background request runs at a time, and after one that took t, none begins for 4 t; so what a disk
 * can do need not be known, and a slow one is not given more than a fast one. What it takes to send the answer counts, which
 * of what lies in memory is nearly all. Foreground work never waits for more than the one request that runs.
 *
 * <p>Processors are shared with all else on the machine, perhaps with other nodes and their fifths. So pauses are longer where
 * tasks wait for one: up to 12 t, a thirteenth of the node's time.
 *
 * <p>Somebody wants something while a foreground request is under way and for {@value #QUIET_MILLIS} ms after: who reads one
 * block after the other is there all the time.
 *
 * <p>Decides only. Time comes from outside, in nanoseconds of a {@link io.albm.core.time.MonotonicClock}. Thread-safe.
 */
final class BackgroundShare {
    /** Background requests that run side by side on a node that nobody else uses. */
    static final int IDLE_TURNS = 8;

    /** Times that a background request took, for which none begins, while there is foreground work. */
    static final int PAUSE_FACTOR = 4;

    /** Times that a pause is longer by, where some task waits for a processor all the time. */
    static final int STALL_FACTOR = 2;

    /**
     * Long, since whom background work slows down asks more rarely: at 20 ms writers and readers of whole files were often
     * taken for gone, and then kept away by all turns at once.
     */
    static final long QUIET_MILLIS = 200;

    /** No pause is longer, so that background work goes on whatever the disk does, within its callers' deadlines. */
    static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);

    /** How long until somebody who may not begin because others run asks again. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private int foreground;
    private long quietFrom;
    private int running;
    private long pauseUntil;
    private double stalled;

    BackgroundShare(long now) {
        quietFrom = now;
        pauseUntil = now;
    }

    synchronized void foregroundBegins() {
        foreground++;
    }

    synchronized void foregroundEnds(long now) {
        foreground--;
        quietFrom = now + QUIET_NANOS;
    }

    /** @param share of the last time, for which some task of the machine waited for a processor, 0 to 1 */
    synchronized void processorsStalled(double share) {
        stalled = share;
    }

    /**
     * A background request wants to begin.
     *
     * @return 0 if it has begun; else after how many nanoseconds to ask again
     */
    synchronized long begin(long now) {
        boolean busy = isBusy(now);
        if (busy && pauseUntil - now > 0) {
            return pauseUntil - now;
        }
        if (running >= (busy ? 1 : IDLE_TURNS)) {
            return RETRY_NANOS;
        }
        running++;
        return 0;
    }

    /** @param began when {@link #begin} said 0 */
    synchronized void ends(long began, long now) {
        running--;
        pauseFor(began, now);
    }

    /**
     * The answer has left, which what lies in memory takes longer than to be found.
     *
     * @param began when {@link #begin} said 0
     */
    synchronized void sent(long began, long now) {
        pauseFor(began, now);
    }

    private void pauseFor(long began, long now) {
        double pause = PAUSE_FACTOR * (1 + STALL_FACTOR * stalled) * (now - began);
        long until = now + Math.min(MAX_PAUSE_NANOS, (long) pause);
        if (isBusy(now) && until - pauseUntil > 0) {
            pauseUntil = until;
        }
    }

    private boolean isBusy(long now) {
        return foreground > 0 || quietFrom - now > 0;
    }
}
