// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

/** What became of the requests that arrived while it counted. */
final class Tally {
    private final long fromNanos;
    private final long toNanos;
    private final int[] arrived = new int[RequestClass.values().length];
    private final int[] inTime = new int[RequestClass.values().length];

    Tally(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    void arrived(SimulatedRequest request) {
        if (counts(request)) {
            arrived[request.kind.number]++;
        }
    }

    void answered(SimulatedRequest request) {
        if (counts(request) && request.ageNanos() <= request.kind.withinNanos) {
            inTime[request.kind.number]++;
        }
    }

    private boolean counts(SimulatedRequest request) {
        return request.arrivedNanos >= fromNanos && request.arrivedNanos < toNanos;
    }

    /** Percent of all requests that were answered in time. */
    double percentInTime() {
        return percent(sum(inTime), sum(arrived));
    }

    /** Percent of the requests of that class that were answered in time. */
    double percentInTime(RequestClass kind) {
        return percent(inTime[kind.number], arrived[kind.number]);
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    private static double percent(int part, int whole) {
        return whole == 0 ? 100 : 100.0 * part / whole;
    }
}
