// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Counter;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Threshold;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How much more this distributor may put on one host: {@link Albm} says why it is reckoned like this.
 *
 * <p>{@link #observe} belongs to the thread that makes rotations; the rest is safe for all event loops.
 */
final class Headroom {
    private static final long UNLIMITED = Long.MAX_VALUE;

    private final BackendLoad load;
    private final LimitEstimate estimate = new LimitEstimate();
    private final PagingMargin margin = new PagingMargin();
    private @Nullable HostReport last;
    private int shortReports;
    private long revaluedBytes;
    private volatile long limit = UNLIMITED;
    private volatile boolean shared;
    private volatile double waitingThreads;
    private volatile double ticket = Double.NaN;
    private volatile @Nullable Relief relief;

    Headroom(BackendLoad load) {
        this.load = load;
    }

    boolean isOf(BackendLoad other) {
        return load == other;
    }

    /** Takes in the host's last report. Without one the limit stays what it was: a silent agent is no error. */
    void observe(@Nullable HostReport report, RoutingView view) {
        if (report == null) {
            relief = null;
        } else if (last == null || last.sequence() != report.sequence()) {
            take(report, view);
        }
    }

    private void take(HostReport report, RoutingView view) {
        limit = limit(report, view);
        last = report;
        shared = view.distributors() > 1;
        waitingThreads = report.sample().valueOr(Counter.RUN_QUEUE_LENGTH, 0);
        ticket = Double.NaN;
        relief = relief(report, view);
    }

    private long limit(HostReport report, RoutingView view) {
        @Nullable
        Threshold levels =
                view.relief().thresholds().find(Counter.AVAILABLE_MEMORY).orElse(null);
        if (levels == null || !report.sample().has(Counter.AVAILABLE_MEMORY)) {
            estimate.forget();
            return UNLIMITED;
        }
        double free = report.sample().value(Counter.AVAILABLE_MEMORY) - levels.recover();
        BackendLoad.Held held = load.heldAtReport();
        estimate.revalue(held.revaluedBytes() - revaluedBytes);
        revaluedBytes = held.revaluedBytes();
        estimate.observe(
                held.costBytes() + (free > 0 ? free / view.distributors() : free),
                held.costBytes(),
                report.receivedNanos());
        margin.observe(
                report.sample().valueOr(Counter.PAGE_READS, 0),
                report.sample().value(Counter.AVAILABLE_MEMORY),
                levels.recover(),
                (double) held.costBytes() * view.distributors(),
                (double) estimate.bytes() * view.distributors(),
                report.receivedNanos());
        return estimate.bytes() - held.unpricedBytes() - margin.bytes() / view.distributors();
    }

    private @Nullable Relief relief(HostReport report, RoutingView view) {
        boolean isShort = report.health() instanceof HostHealth.Relieved
                || view.relief().thresholds().isShort(report.sample());
        shortReports = isShort ? shortReports + 1 : 0;
        if (shortReports < view.relief().samples()) {
            return null;
        }
        return relief == null ? ThresholdWatch.reason(report, view) : relief;
    }

    /** Why the host gets nothing while others have room; null if it does. */
    @Nullable
    Relief relief() {
        return relief;
    }

    /**
     * Bytes that requests from here may hold beyond those that they hold now; negative if they hold too much. A host that is short has
     * less than any other, and among those that are, less the more it holds.
     */
    long room() {
        if (relief != null) {
            return Long.MIN_VALUE / 2 - load.costInFlight();
        }
        return limit == UNLIMITED ? UNLIMITED : limit - load.costInFlight();
    }

    /** Bytes that requests from here may hold, as far as they are counted; nothing if nobody limits them. */
    OptionalLong limit() {
        long current = limit;
        return current == UNLIMITED ? OptionalLong.empty() : OptionalLong.of(current);
    }

    /** Whether one more request of that cost may go. */
    boolean admits(long cost, RandomGenerator random) {
        long room = room();
        return room >= cost || (shared && room > 0 && wins((double) room / cost, random));
    }

    /** One draw for each report, so that asking again and again does not help. */
    private boolean wins(double chance, RandomGenerator random) {
        if (Double.isNaN(ticket)) {
            ticket = random.nextDouble();
        }
        return ticket < chance;
    }

    /** Threads that waited for a processor of the host when it reported. */
    double waitingThreads() {
        return waitingThreads;
    }
}
