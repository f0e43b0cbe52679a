// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A timeout that is pushed back far more often than it fires. Arming it moves it to the end of its {@link WatchdogQueue},
 * whose members all wait equally long: a few stores, no timer, no allocation. Confined to its event loop.
 */
public final class Watchdog {
    private @Nullable WatchdogQueue queue;
    private final Runnable onTimeout;
    Watchdog earlier = this;
    Watchdog later = this;
    long deadlineNanos;

    /**
     * A watchdog that is not armed.
     *
     * @param queue gives the time that it waits
     */
    public Watchdog(WatchdogQueue queue, Runnable onTimeout) {
        this.queue = queue;
        this.onTimeout = onTimeout;
    }

    /**
     * A watchdog that is not armed, and waits for one reason or another.
     *
     * @param onTimeout told whatever the reason was
     */
    public Watchdog(Runnable onTimeout) {
        this.onTimeout = onTimeout;
    }

    /** Starts the time anew, for the same reason as last. */
    public void arm() {
        arm(Objects.requireNonNull(queue, "never armed for a reason"));
    }

    /** Starts the time anew, with those that wait for the same reason. */
    @SuppressWarnings("ReferenceEquality") // the very queue it is in
    public void arm(WatchdogQueue reason) {
        if (queue == reason && isArmed() && reason.isFresh(this)) {
            return;
        }
        queue = reason;
        unlink();
        reason.append(this);
    }

    /** Whether its time is not over, though it was fired. */
    public boolean isEarly(long nowNanos) {
        return deadlineNanos - nowNanos > 0;
    }

    /** Whether its time runs. */
    public boolean isArmed() {
        return later != this;
    }

    /** Stops the time. */
    public void disarm() {
        unlink();
    }

    private void unlink() {
        earlier.later = later;
        later.earlier = earlier;
        earlier = this;
        later = this;
    }

    void fire() {
        unlink();
        onTimeout.run();
    }
}
