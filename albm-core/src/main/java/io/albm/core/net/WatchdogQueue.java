// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * All watchdogs of one event loop that wait for the same time. Who is armed last fires last, so the queue is in order of
 * the deadlines by itself, and one timer for the first of them serves all. The timer runs at most once per timeout and
 * deadline, however often watchdogs are armed. Confined to its event loop; bounded by the number of connections.
 *
 * <p>One that is armed again within a {@value #PATIENCE}th of its time keeps its place, and fires so much sooner at most: on
 * a busy connection most events then touch neither of its neighbours in the queue.
 */
public final class WatchdogQueue {
    private static final int PATIENCE = 64;

    private final EventExecutor loop;
    private final LoopClock clock;
    private final long timeoutNanos;
    private final Watchdog ends = new Watchdog(this, () -> {});
    private boolean scheduled;

    /**
     * A queue of one loop.
     *
     * @param timeout how long every one of its watchdogs waits
     */
    public WatchdogQueue(EventExecutor loop, LoopClock clock, Duration timeout) {
        this.loop = loop;
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
    }

    /** Whether one of its own, which is armed, was so a moment ago. */
    boolean isFresh(Watchdog armed) {
        return clock.now() + timeoutNanos - armed.deadlineNanos < timeoutNanos / PATIENCE;
    }

    void append(Watchdog last) {
        last.deadlineNanos = clock.now() + timeoutNanos;
        last.earlier = ends.earlier;
        last.later = ends;
        ends.earlier.later = last;
        ends.earlier = last;
        if (!scheduled) {
            schedule(timeoutNanos);
        }
    }

    /**
     * Fires the one that has waited longest before its time; if it arms itself anew, because it finds that something has
     * moved, the next one.
     *
     * @param least how long it must have waited
     * @return false if there is none
     */
    public boolean fireFirst(Duration least) {
        Watchdog first = ends.later;
        while (first != ends && first.deadlineNanos - timeoutNanos + least.toNanos() - clock.now() <= 0) {
            first.fire();
            if (!first.isArmed()) {
                return true;
            }
            first = ends.later;
        }
        return false;
    }

    private void schedule(long nanos) {
        scheduled = true;
        var _ = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        scheduled = false;
        long now = clock.tick();
        while (ends.later != ends && ends.later.deadlineNanos - now <= 0) {
            ends.later.fire();
        }
        if (ends.later != ends && !scheduled) {
            schedule(ends.later.deadlineNanos - now);
        }
    }
}
