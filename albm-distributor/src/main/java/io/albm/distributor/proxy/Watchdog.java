// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

/**
 * A timeout that is pushed back far more often than it fires. Arming it moves it to the end of its {@link WatchdogQueue},
 * whose members all wait equally long: a few stores, no timer, no allocation. Confined to its event loop.
 */
final class Watchdog {
    private final WatchdogQueue queue;
    private final Runnable onTimeout;
    Watchdog earlier = this;
    Watchdog later = this;
    long deadlineNanos;

    /**
     * A watchdog that is not armed.
     *
     * @param queue gives the time that it waits
     */
    Watchdog(WatchdogQueue queue, Runnable onTimeout) {
        this.queue = queue;
        this.onTimeout = onTimeout;
    }

    /** Starts the time anew. */
    void arm() {
        arm(queue);
    }

    /** Starts the time anew, with those that wait for the same reason. */
    void arm(WatchdogQueue reason) {
        unlink();
        reason.append(this);
    }

    void disarm() {
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
