// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.time.MonotonicClock;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A timeout that is pushed back far more often than it fires: pushing it back is one clock read and one store, since the
 * one timer in the loop's queue looks at the deadline only when it runs. Confined to its event loop.
 */
final class Watchdog {
    private final EventExecutor loop;
    private final MonotonicClock clock;
    private final long timeoutNanos;
    private final Runnable onTimeout;
    private long deadlineNanos;
    private boolean armed;
    private @Nullable Future<?> timer;

    Watchdog(EventExecutor loop, MonotonicClock clock, Duration timeout, Runnable onTimeout) {
        this.loop = loop;
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
        this.onTimeout = onTimeout;
    }

    /** Starts the time anew. */
    void arm() {
        deadlineNanos = clock.nanoTime() + timeoutNanos;
        armed = true;
        if (timer == null) {
            schedule(timeoutNanos);
        }
    }

    void disarm() {
        armed = false;
    }

    /** Takes the timer out of the loop's queue, so that it holds no memory; may be armed again. */
    void close() {
        armed = false;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void schedule(long nanos) {
        timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        timer = null;
        if (!armed) {
            return;
        }
        long left = deadlineNanos - clock.nanoTime();
        if (left > 0) {
            schedule(left);
        } else {
            armed = false;
            onTimeout.run();
        }
    }
}
