// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Learns what requests hold from hosts that report nothing but their available memory.
 *
 * <p>Between two reports of a host the available memory changes by what requests that came took and requests that went
 * gave back, and by everything else that runs there. A regression over the changes Δn of the numbers in flight by route
 * ({@link LeastSquares}) finds the first and averages out the second. Only hosts that are well teach: on one that is short of
 * memory everything is slow, so that the number of cheap requests in flight rises with the lack of memory, and would seem
 * to cause it.
 *
 * <p>Most changes are explained to within some hundred KB, and a few not at all: a program starts beside, or fifty requests
 * that were sent at once have not taken their memory yet. So errors are weighed as Huber's M-estimator does: one of more than
 * {@link #MOST_ERRORS} times the usual error, their running median, counts as if it were of that size, and as that much less
 * evidence. By a mean, or with the evidence counted in full, a few dozen such changes made 4.4 MB of 5.
 * Where no number changed there is nothing to explain, and what happened says nothing about how well it is
 * explained. A cost is known when it is {@link #SURE} times as large as its standard error and large enough to matter; the
 * noise of other distributors makes that come later. And the route's requests must live for {@link #SHORTEST_LIFE} of the
 * time between two reports (by Little's law: mean number in flight ÷ number begun per report): the memory of shorter ones is
 * back before a report could show it, and what is seen of them are the moments at which the host was slow for another reason.
 *
 * <p>The default route mixes what nobody has told apart: its cost stays unknown here.
 *
 * <p>{@link #observe} belongs to one thread and costs a pass over the routes, and the square of the number of routes in use;
 * {@link #bytes} is one read.
 */
final class ReportedCosts {
    /** A request that holds less never has to wait. */
    static final long CHEAP_BYTES = 1 << 20;

    private static final double MOST_ERRORS = 3;
    private static final double ERROR_STEP = 1 + 1.0 / 16;
    private static final double FIRST_ERROR = 16.0 * CHEAP_BYTES;

    /** What a server moves by itself. */
    private static final double LEAST_ERROR = CHEAP_BYTES / 4.0;

    private static final double SURE = 4;
    private static final double SHORTEST_LIFE = 0.25;

    private final Map<BackendLoad, Seen> lastSeen = new WeakHashMap<>();
    private final LeastSquares costs = new LeastSquares(RouteCosts.MAX_ROUTES);
    private final double[] inFlight = new double[RouteCosts.MAX_ROUTES];
    private final double[] begun = new double[RouteCosts.MAX_ROUTES];
    private final int[] changes = new int[RouteCosts.MAX_ROUTES];
    private final AtomicLongArray known = new AtomicLongArray(RouteCosts.MAX_ROUTES);
    private double usualError = FIRST_ERROR;

    /** A backend when its host reported. */
    private static final class Seen {
        final double availableBytes;
        final boolean isWell;
        final int[] inFlight = new int[RouteCosts.MAX_ROUTES];
        final int[] begun = new int[RouteCosts.MAX_ROUTES];

        Seen(BackendLoad load, double availableBytes, boolean isWell) {
            this.availableBytes = availableBytes;
            this.isWell = isWell;
            for (int route = 0; route < inFlight.length; route++) {
                inFlight[route] = load.inFlight(route);
                begun[route] = load.begun(route);
            }
        }
    }

    long bytes(int slot) {
        return known.get(slot);
    }

    void observe(BackendLoad load, double availableBytes, boolean isWell) {
        var now = new Seen(load, availableBytes, isWell);
        Seen before = lastSeen.put(load, now);
        if (before != null && before.isWell && isWell) {
            learn(before, now);
        }
    }

    private void learn(Seen before, Seen now) {
        boolean changed = false;
        for (int i = 0; i < changes.length; i++) {
            changes[i] = now.inFlight[i] - before.inFlight[i];
            changed |= changes[i] != 0;
            inFlight[i] += now.inFlight[i];
            begun[i] += now.begun[i] - before.begun[i];
        }
        if (changed) {
            double error = before.availableBytes - now.availableBytes - costs.explained(changes);
            costs.learn(changes, error, weight(Math.abs(error)));
            costs.forEachSeen(
                    route -> known.set(route, isKnown(route) ? Math.round(costs.value(route)) : RouteCosts.UNKNOWN));
        }
    }

    private double weight(double error) {
        double weight = Math.min(1, MOST_ERRORS * usualError / error);
        usualError = error > usualError ? usualError * ERROR_STEP : Math.max(LEAST_ERROR, usualError / ERROR_STEP);
        return weight;
    }

    private boolean isKnown(int route) {
        boolean livesLongEnough = inFlight[route] >= SHORTEST_LIFE * begun[route];
        return route != RoutedRequest.DEFAULT_ROUTE
                && livesLongEnough
                && costs.value(route) >= CHEAP_BYTES
                && costs.value(route) >= SURE * usualError * costs.uncertainty(route);
    }
}
