// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Counter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Client-side weighted round robin as Envoy and gRPC do it with ORCA load reports: weight = requests/s ÷ (utilization +
 * penalty · errors ÷ requests), so that a backend that does more with less gets more.
 *
 * <p>Utilization is the larger of processor and memory, the latter measured against the most that the host ever had
 * available; ORCA itself knows memory only where a server puts it into its application utilization. Weights change at
 * most once a second, start {@link #BLACKOUT_NANOS} after a backend's first report and end with its last; whoever has none
 * counts like the median of the others.
 */
final class OrcaWeighted implements RoutingPolicy {
    private static final long UPDATE_NANOS = 1_000_000_000L;
    private static final long BLACKOUT_NANOS = 10 * UPDATE_NANOS;
    private static final double ERROR_PENALTY = 1;
    private static final double LEAST_UTILIZATION = 0.01;
    private static final double LEAST_WEIGHT = 1e-3;

    /** Servers report smoothed rates; what is measured here over one second would be noise. */
    private static final double SMOOTHING = 0.2;

    private final Map<String, Track> tracks = new HashMap<>();
    private final AtomicInteger cursor = new AtomicInteger();

    /** What is remembered of a backend; {@code weight} 0 is none. */
    private record Track(
            long firstNanos,
            long lastNanos,
            long answered,
            long failed,
            long mostAvailable,
            double rate,
            double utilization,
            double weight) {}

    @Override
    public Rotation rotate(RoutingView view) {
        tracks.keySet().retainAll(view.backends().stream().map(BackendView::id).collect(Collectors.toSet()));
        view.backends().forEach(backend -> update(backend, view.nowNanos()));
        double median = median();
        return new WeightedTurns(view.backends(), backend -> weight(backend.id(), median), cursor, Map.of());
    }

    private double weight(String id, double median) {
        Track track = tracks.get(id);
        return track == null || track.weight == 0 ? median : track.weight;
    }

    private double median() {
        double[] known = tracks.values().stream()
                .mapToDouble(Track::weight)
                .filter(weight -> weight > 0)
                .sorted()
                .toArray();
        return known.length == 0 ? 1 : known[known.length / 2];
    }

    private void update(BackendView backend, long nowNanos) {
        HostReport report = backend.report();
        if (report == null) {
            tracks.remove(backend.id());
            return;
        }
        tracks.merge(
                backend.id(),
                first(backend.load(), report, nowNanos),
                (old, _) ->
                        nowNanos - old.lastNanos < UPDATE_NANOS ? old : next(old, backend.load(), report, nowNanos));
    }

    private static Track first(BackendLoad load, HostReport report, long nowNanos) {
        long available = report.sample().availableMemoryBytes();
        return new Track(nowNanos, nowNanos, load.answered(), load.failed(), available, 0, 0, 0);
    }

    private static Track next(Track old, BackendLoad load, HostReport report, long nowNanos) {
        long answered = load.answered();
        long failed = load.failed();
        if (answered == old.answered && load.inFlight() == 0) {
            return old; // nothing was asked of it: what it could do is not known any better than before
        }
        long most = Math.max(old.mostAvailable, report.sample().availableMemoryBytes());
        double rate = smoothed(old.rate, (answered - old.answered) / seconds(nowNanos - old.lastNanos));
        double utilization = smoothed(old.utilization, utilization(report, most));
        double errors = (double) (failed - old.failed) / Math.max(1, answered - old.answered);
        double weight = nowNanos - old.firstNanos < BLACKOUT_NANOS
                ? 0
                : Math.max(LEAST_WEIGHT, rate / (utilization + ERROR_PENALTY * errors));
        return new Track(old.firstNanos, nowNanos, answered, failed, most, rate, utilization, weight);
    }

    private static double smoothed(double before, double now) {
        return before == 0 ? now : before + SMOOTHING * (now - before);
    }

    private static double utilization(HostReport report, long mostAvailable) {
        double memory = 1 - (double) report.sample().availableMemoryBytes() / Math.max(1, mostAvailable);
        return Math.max(LEAST_UTILIZATION, Math.max(report.sample().valueOr(Counter.CPU_BUSY, 0), memory));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
