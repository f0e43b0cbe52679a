// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What this distributor has with one backend at this moment: requests in flight, what they are thought to cost the host,
 * how long answers take, and when it failed last. Kept by the data path whatever the policy is, so that a policy that is
 * switched to knows its backends from the first request.
 *
 * <p><b>Reservations.</b> A host's report cannot show a request that was sent a moment ago. Until a report shows it, its
 * cost is <i>unreported</i> and has to be taken off what the host said was available. A report that comes just after a
 * request was sent may have been sampled before; so a request counts as reported with the second report that comes after
 * it was sent, or when it ends. That is right as long as a report needs less than the time between two reports to come
 * here, and compares no two clocks.
 *
 * <p>Lock-free, allocates nothing; safe for all event loops.
 */
public final class BackendLoad {
    private static final long NEVER = Long.MIN_VALUE;
    private static final int COST_BITS = 48;
    private static final long COST_MASK = (1L << COST_BITS) - 1;
    private static final int EPOCHS = 4;
    private static final int EPOCH_MASK = (1 << 16) - 1;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong costInFlight = new AtomicLong();
    private final AtomicLong costBegun = new AtomicLong();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicLongArray unreported = new AtomicLongArray(EPOCHS);
    private final DecayingLatency latency = new DecayingLatency();
    private final DecayingLatency peakLatency = new DecayingLatency();
    private volatile int epoch;
    private volatile long lastFailureNanos = NEVER;
    private volatile @Nullable LoadWatcher watcher;

    /**
     * Counts a request that is about to be sent.
     *
     * @param costBytes memory that it is thought to hold on the host, 0 if unknown; at most 2^48 − 1, more is cut
     * @return a ticket to be given back once by {@link #ended}
     */
    public long began(long costBytes) {
        long cost = Math.clamp(costBytes, 0, COST_MASK);
        int now = epoch;
        unreported.addAndGet(slot(now), cost);
        costInFlight.addAndGet(cost);
        costBegun.addAndGet(cost);
        changed(inFlight.incrementAndGet(), 1);
        return ((long) now << COST_BITS) | cost;
    }

    /**
     * Counts a request that is over.
     *
     * @param ticket what {@link #began} returned
     * @param latencyNanos from sending to the response's first byte; ignored unless answered
     * @param nowNanos by the clock of the views
     */
    public void ended(long ticket, Outcome outcome, long latencyNanos, long nowNanos) {
        release(ticket);
        switch (outcome) {
            case ANSWERED -> {
                answered.increment();
                latency.addMean(latencyNanos, nowNanos);
                peakLatency.addPeak(latencyNanos, nowNanos);
            }
            case ERRORED, FAILED -> {
                failed.increment();
                lastFailureNanos = nowNanos;
            }
            case ABANDONED -> {}
        }
        changed(inFlight.decrementAndGet(), -1);
    }

    private void release(long ticket) {
        long cost = ticket & COST_MASK;
        int begun = (int) (ticket >>> COST_BITS);
        costInFlight.addAndGet(-cost);
        if (((epoch - begun) & EPOCH_MASK) <= 1) {
            unreported.addAndGet(slot(begun), -cost);
        }
    }

    private void changed(int count, int by) {
        LoadWatcher told = watcher;
        if (told != null) {
            told.changed(count, by);
        }
    }

    private static int slot(int epoch) {
        return epoch & (EPOCHS - 1);
    }

    /** A report of the host has come. By one thread. */
    public void reported() {
        int next = (epoch + 1) & EPOCH_MASK;
        unreported.set(slot(next), 0);
        epoch = next;
    }

    /** Lets somebody follow the number in flight, instead of whoever followed before. */
    void follow(LoadWatcher follower) {
        watcher = follower;
    }

    /** Lets nobody follow it any more: the policy changes. */
    public void unfollow() {
        watcher = null;
    }

    /** Requests that were sent and have not ended. */
    public int inFlight() {
        return inFlight.get();
    }

    /** What the requests in flight are thought to hold, in bytes. */
    public long costInFlight() {
        return costInFlight.get();
    }

    /** What all requests ever sent were thought to hold, in bytes; only differences mean anything. */
    public long costBegun() {
        return costBegun.get();
    }

    /** What those requests in flight are thought to hold that no report of the host can be trusted to show, in bytes. */
    public long unreportedCost() {
        int now = epoch;
        return Math.max(0, unreported.get(slot(now)) + unreported.get(slot(now - 1)));
    }

    /** Requests that were ever answered. */
    public long answered() {
        return answered.sum();
    }

    /** Requests that ever failed. */
    public long failed() {
        return failed.sum();
    }

    /** Mean latency of late, in nanoseconds, decayed to now; 0 without history. */
    public double latencyNanos(long nowNanos) {
        return latency.at(nowNanos);
    }

    /** Finagle's peak EWMA of latency, in nanoseconds, decayed to now; 0 without history. */
    public double peakLatencyNanos(long nowNanos) {
        return peakLatency.at(nowNanos);
    }

    /** Whether a request has failed here within that time. */
    public boolean failedWithin(long nanos, long nowNanos) {
        long last = lastFailureNanos;
        return last != NEVER && nowNanos - last <= nanos;
    }
}
