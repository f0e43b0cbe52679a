// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Thresholds;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a request of each route holds of its host's memory, learned while requests run, from two sources:
 *
 * <ul>
 *   <li>A response may say what its request took. One value proves nothing: some requests of a route are heavier than
 *       others, and what a process says of itself is noisy. So an estimate follows the values by a step that shrinks from
 *       1 to {@link #SMALLEST_STEP} as evidence grows, and each value counts for at most {@link #MOST_GROWTH} times the
 *       estimate.
 *   <li>Where responses say nothing, the hosts' reports do: {@link ReportedCosts}.
 * </ul>
 *
 * <p>Until there is enough evidence the cost is unknown, and a request of unknown cost is never made to wait.
 *
 * <p>Lock-free, allocates nothing for a request; safe for all event loops, but for {@link #reported}.
 */
public final class RouteCosts {
    /** What {@link #bytes} answers while it does not know. */
    public static final long UNKNOWN = 0;

    /** Routes that costs are kept for; those with another index count as the default route. */
    public static final int MAX_ROUTES = 256;

    private static final int ENOUGH = 8;
    private static final double SMALLEST_STEP = 1.0 / 32;
    private static final double MOST_GROWTH = 4;
    private static final double MOST_PAGE_READS = 100;
    private static final int COUNT_BITS = 8;
    private static final int MAX_COUNT = (1 << COUNT_BITS) - 1;

    /** Estimate in bytes, then how many values it stands on. */
    private final AtomicLongArray estimates = new AtomicLongArray(MAX_ROUTES);

    private final ReportedCosts fromReports = new ReportedCosts();

    /** What a request of that route is thought to hold, in bytes, at least 1; {@link #UNKNOWN} if too little was seen. */
    public long bytes(int route) {
        int slot = slot(route);
        long packed = estimates.get(slot);
        return count(packed) < ENOUGH ? fromReports.bytes(slot) : Math.max(1, value(packed));
    }

    /** The costs that are known, in bytes, by route. */
    public SortedMap<Integer, Long> known() {
        var known = new TreeMap<Integer, Long>();
        for (int route = 0; route < MAX_ROUTES; route++) {
            long bytes = bytes(route);
            if (bytes != UNKNOWN) {
                known.put(route, bytes);
            }
        }
        return known;
    }

    /**
     * Takes in what one request held.
     *
     * @param bytes as the backend says; negative values are ignored
     */
    public void learn(int route, long bytes) {
        if (bytes < 0) {
            return;
        }
        int slot = slot(route);
        long before;
        do {
            before = estimates.get(slot);
        } while (!estimates.compareAndSet(slot, before, next(before, bytes)));
    }

    private static long next(long packed, long bytes) {
        int count = Math.min(MAX_COUNT, count(packed) + 1);
        long estimate = value(packed);
        double counted =
                count <= ENOUGH ? (double) bytes : Math.min((double) bytes, MOST_GROWTH * Math.max(1, estimate));
        double step = Math.max(SMALLEST_STEP, 1.0 / count);
        long moved = Math.clamp(Math.round(estimate + step * (counted - estimate)), 0, Long.MAX_VALUE >> COUNT_BITS);
        return (moved << COUNT_BITS) | count;
    }

    /** Takes in what a backend's host reports. By one thread. */
    public void reported(BackendLoad load, CounterSample sample, Thresholds thresholds) {
        if (sample.has(Counter.AVAILABLE_MEMORY)) {
            fromReports.observe(load, sample.value(Counter.AVAILABLE_MEMORY), isWell(sample, thresholds));
        }
    }

    /**
     * Whether the host is slow for no lack of memory. Its page reads tell, where they are reported: whoever asks available
     * memory itself learns from the reports that happened to show much of it, and finds every cost too small.
     */
    private static boolean isWell(CounterSample sample, Thresholds thresholds) {
        return sample.has(Counter.PAGE_READS)
                ? sample.value(Counter.PAGE_READS) < MOST_PAGE_READS && !thresholds.isShort(sample)
                : thresholds.isRecovered(sample);
    }

    /** The route of a request that nobody has sorted: one of those beside the default, by its path. */
    public static int routeOf(long pathHash) {
        return 1 + (int) Long.remainderUnsigned(pathHash, MAX_ROUTES - 1);
    }

    static int slot(int route) {
        return route >= 0 && route < MAX_ROUTES ? route : RoutedRequest.DEFAULT_ROUTE;
    }

    private static int count(long packed) {
        return (int) packed & MAX_COUNT;
    }

    private static long value(long packed) {
        return packed >>> COUNT_BITS;
    }
}
