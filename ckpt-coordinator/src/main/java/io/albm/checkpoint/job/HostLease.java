// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.time.Duration;

/**
 * What a supervisor knows of a host that it cannot reach. The host's ranks are killed when the lease has passed since
 * an answer of the host that the supervisor had heard when it sent its newest command; both measure with their own monotonic
 * clocks. A command may be heard though its answer is lost. So the lease surely has run out when, since the last command was <em>sent</em>, the lease has passed and
 * a tenth of it, for clocks that differ and for the killing, and two seconds. Times are in nanoseconds; not thread-safe.
 */
public final class HostLease {
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final long lease;
    private final long longest;
    private long sent;
    private long answered;

    public HostLease(Duration lease, long now) {
        this.lease = lease.toNanos();
        this.longest = longest(lease).toNanos();
        this.sent = now;
        this.answered = now;
    }

    /** The longest time, by the supervisor's clock, for which ranks may run after the last command was sent. */
    static Duration longest(Duration lease) {
        return lease.plus(lease.dividedBy(10)).plus(MARGIN);
    }

    /** A command is on its way. */
    public void sent(long now) {
        sent = now;
    }

    /** A command was answered. */
    public void answered(long sentAt) {
        answered = sentAt;
    }

    /** It has not answered for the lease: no more commands may be sent, or its lease would never run out. */
    public boolean isSilent(long now) {
        return now - answered > lease;
    }

    /** Its ranks have ended, whatever has become of it. */
    public boolean hasRunOut(long now) {
        return now - sent > longest;
    }
}
