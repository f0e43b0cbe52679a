// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.OrcaReport;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this distributor has with one backend at this moment: requests in flight, what they are thought to hold of the
 * host's memory, how long answers take, and when it failed last. Kept by the data path whatever the policy is, so that a
 * policy that is switched to knows its backends from the first request.
 *
 * <p>Counting is lock-free and allocates nothing for a request; safe for all event loops. Policies that keep figures of
 * their own follow the count; each policy that is in use over the backend may.
 */
public final class BackendLoad {
    /** What {@link #began} answers when the backend has as many requests as it may have. */
    public static final long FULL = -1;

    private static final long NEVER = Long.MIN_VALUE;
    private static final int COST_BITS = 48;
    private static final long COST_MASK = (1L << COST_BITS) - 1;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicIntegerArray inFlightByRoute = new AtomicIntegerArray(RouteCosts.MAX_ROUTES);
    private final AtomicIntegerArray begunByRoute = new AtomicIntegerArray(RouteCosts.MAX_ROUTES);
    private final AtomicLong costInFlight = new AtomicLong();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final DecayingLatency latency = new DecayingLatency();
    private final DecayingLatency peakLatency = new DecayingLatency();
    private volatile int limit = Integer.MAX_VALUE;
    private final AtomicIntegerArray unpricedByRoute = new AtomicIntegerArray(RouteCosts.MAX_ROUTES);
    private final long[] costAtReport = new long[RouteCosts.MAX_ROUTES];
    private final int[] unpricedAtReport = new int[RouteCosts.MAX_ROUTES];
    private volatile Held held = new Held(0, 0, 0);
    private volatile long lastFailureNanos = NEVER;
    private volatile Follower[] followers = {};

    private volatile @Nullable LoadReport loadReport;

    private record Follower(Object owner, LoadWatcher watcher) {}

    /**
     * What the requests in flight held when the last report of the host came, in bytes. A request that was sent when its
     * route's cost was unknown holds what is known by then.
     *
     * @param costBytes what they hold
     * @param unpricedBytes what of that {@link #costInFlight} does not count, because it was unknown
     * @param revaluedBytes what requests held at earlier reports, which nobody knew then, of all routes whose cost has become
     *     known; a difference of two of these tells what became known between two reports
     */
    record Held(long costBytes, long unpricedBytes, long revaluedBytes) {}

    /** Sets how many requests may be in flight at once, at least 1. Those beyond a lower limit finish. */
    public void limitTo(int most) {
        limit = Math.max(1, most);
    }

    /** How many requests may be in flight at once. */
    public int limit() {
        return limit;
    }

    /** Whether it has as many requests as it may have. */
    public boolean isFull() {
        return inFlight.get() >= limit;
    }

    /**
     * Counts a request that is about to be sent, if there is room for it: over all event loops together there are never
     * more than the limit.
     *
     * @param route the request's cost class
     * @param costBytes memory that it is thought to hold on the host, 0 if unknown; at most 2^48 − 1, more is cut
     * @return a ticket to be given back once by {@link #ended}, or {@link #FULL}
     */
    public long began(int route, long costBytes) {
        int before;
        do {
            before = inFlight.get();
            if (before >= limit) {
                return FULL;
            }
        } while (!inFlight.compareAndSet(before, before + 1));
        long cost = Math.clamp(costBytes, 0, COST_MASK);
        int counted = RouteCosts.slot(route);
        costInFlight.addAndGet(cost);
        inFlightByRoute.incrementAndGet(counted);
        begunByRoute.incrementAndGet(counted);
        if (cost == RouteCosts.UNKNOWN) {
            unpricedByRoute.incrementAndGet(counted);
        }
        changed(before + 1, 1);
        return ((long) counted << COST_BITS) | cost;
    }

    /**
     * Counts a request that is over.
     *
     * @param ticket what {@link #began} returned
     * @param latencyNanos from sending to the response's first byte; ignored unless answered
     * @param nowNanos by the clock of the views
     */
    public void ended(long ticket, Outcome outcome, long latencyNanos, long nowNanos) {
        long cost = ticket & COST_MASK;
        int counted = (int) (ticket >>> COST_BITS);
        costInFlight.addAndGet(-cost);
        inFlightByRoute.decrementAndGet(counted);
        if (cost == RouteCosts.UNKNOWN) {
            unpricedByRoute.decrementAndGet(counted);
        }
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

    private void changed(int count, int by) {
        for (Follower follower : followers) {
            follower.watcher.changed(count, by);
        }
    }

    /**
     * Notes what the backend itself has said in a response about how it feels.
     *
     * @param nowNanos by the clock of the views
     */
    public void feels(OrcaReport report, long nowNanos) {
        loadReport = new LoadReport(report, nowNanos);
    }

    /** What the backend itself said last; null if it never did. */
    @Nullable
    LoadReport loadReport() {
        return loadReport;
    }

    /** Whether it said something within that time. */
    public boolean saidWithin(long nanos, long nowNanos) {
        LoadReport last = loadReport;
        return last != null && nowNanos - last.receivedNanos() <= nanos;
    }

    /**
     * A report of the host has come: what is in flight now is what it shows, as nearly as can be known. By one thread, after
     * the costs have learned from the report.
     */
    public void reported(RouteCosts costs) {
        long counted = costInFlight.get();
        long unpriced = 0;
        long revalued = held.revaluedBytes;
        for (int route = 0; route < RouteCosts.MAX_ROUTES; route++) {
            long cost = costs.bytes(route);
            revalued += (cost - costAtReport[route]) * unpricedAtReport[route];
            costAtReport[route] = cost;
            unpricedAtReport[route] = unpricedByRoute.get(route);
            unpriced += cost * unpricedAtReport[route];
        }
        held = new Held(counted + unpriced, unpriced, revalued);
    }

    /**
     * Lets somebody follow the number in flight from now on.
     *
     * @param owner the policy that does; it has one watcher here, and a new one takes the place of the last
     */
    synchronized void follow(Object owner, LoadWatcher watcher) {
        followers = Stream.concat(othersThan(owner), Stream.of(new Follower(owner, watcher)))
                .toArray(Follower[]::new);
    }

    /** Lets the owner follow no more. */
    public synchronized void unfollow(Object owner) {
        followers = othersThan(owner).toArray(Follower[]::new);
    }

    private Stream<Follower> othersThan(Object owner) {
        return Arrays.stream(followers).filter(follower -> !follower.owner.equals(owner));
    }

    /** Requests that were sent and have not ended. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Requests of that route that were sent and have not ended. */
    int inFlight(int route) {
        return inFlightByRoute.get(route);
    }

    /** Requests of that route that were ever sent; wraps around. */
    int begun(int route) {
        return begunByRoute.get(route);
    }

    /** What the requests in flight are thought to hold, in bytes. */
    public long costInFlight() {
        return costInFlight.get();
    }

    /** What they held when the host's last report came. */
    Held heldAtReport() {
        return held;
    }

    /** Requests that were ever answered. */
    public long answered() {
        return answered.sum();
    }

    /** Requests that ever failed. */
    public long failed() {
        return failed.sum();
    }

    /**
     * Mean latency of late, in nanoseconds; 0 without history. It decays to now only while nothing is in flight: a backend
     * that has work and does not answer has not become quick.
     */
    public double latencyNanos(long nowNanos) {
        return inFlight() == 0 ? latency.at(nowNanos) : latency.last();
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
