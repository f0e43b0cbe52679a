// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One deadline of a connection that moves with nearly every request. Moving it is a field write; a timer looks at it
 * once per {@code period}, so it is noticed at most that much late. Owned by one event loop.
 */
final class Deadline {

    private final long periodNanos;
    private final Runnable onPassed;
    private @Nullable ScheduledFuture<?> timer;
    private long deadline;
    private boolean armed;

    Deadline(Duration period, Runnable onPassed) {
        periodNanos = period.toNanos();
        this.onPassed = onPassed;
    }

    void start(ChannelHandlerContext context) {
        timer = context.executor().scheduleWithFixedDelay(this::look, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    void arm(Duration timeout) {
        deadline = System.nanoTime() + timeout.toNanos();
        armed = true;
    }

    void disarm() {
        armed = false;
    }

    private void look() {
        if (armed && System.nanoTime() - deadline >= 0) {
            armed = false;
            onPassed.run();
        }
    }
}
