// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Counter;
import io.albm.core.node.OrcaReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Client-side weighted round robin as Envoy and gRPC do it with ORCA load reports: weight = requests/s ÷ (utilization +
 * penalty · errors ÷ requests), so that a backend that does more with less gets more.
 *
 * <p><b>Backends that report themselves</b>, in the response header {@code endpoint-load-metrics}: requests/s and errors are
 * those of the report, utilization that of the application, or else of the processor. A report without requests/s or
 * utilization gives no weight. It starts {@link #BLACKOUT_NANOS} after the first report and ends {@link #EXPIRY_NANOS}
 * after the last one.
 *
 * <p><b>For the others</b>, the agent of their host is asked. Utilization is the larger of processor and memory, the latter measured against the most that the host ever had
 * available; ORCA itself knows memory only where a server puts it into its application utilization. Requests/s are what
 * was answered here, times the number of distributors, as if the others sent as much: so both kinds can be weighed against
 * each other. This weight starts {@link #BLACKOUT_NANOS} after the first report and ends with the last.
 *
 * <p>Weights change at most once a second; whoever has none counts like the median of the others.
 */
final class OrcaWeighted implements RoutingPolicy {
    private static final long UPDATE_NANOS = 1_000_000_000L;
    private static final long BLACKOUT_NANOS = 10 * UPDATE_NANOS;
    private static final long EXPIRY_NANOS = 180 * UPDATE_NANOS;
    private static final double ERROR_PENALTY = 1;
    private static final double LEAST_UTILIZATION = 0.01;
    private static final double LEAST_WEIGHT = 1e-3;

    /** Servers report smoothed rates; what is measured here over one second would be noise. */
    private static final double SMOOTHING = 0.2;

    private final Map<String, Track> tracks = new HashMap<>();
    private final Map<String, Told> told = new HashMap<>();
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

    /** What is remembered of a backend that reports itself; {@code weight} 0 is none. */
    private record Told(long firstNanos, long lastNanos, double weight) {}

    @Override
    public Rotation rotate(RoutingView view) {
        told.keySet().retainAll(view.backends().stream().map(BackendView::id).collect(Collectors.toSet()));
        tracks.keySet().retainAll(view.backends().stream().map(BackendView::id).collect(Collectors.toSet()));
        view.backends().forEach(backend -> update(backend, view));
        double median = median();
        return new WeightedTurns(view.backends(), backend -> weight(backend.id(), median), cursor, Map.of());
    }

    private double weight(String id, double median) {
        double own = weight(id);
        return own == 0 ? median : own;
    }

    /** 0 if there is none. */
    private double weight(String id) {
        Told own = told.get(id);
        Track track = tracks.get(id);
        return own != null ? own.weight : track != null ? track.weight : 0;
    }

    private double median() {
        double[] known = Stream.concat(told.keySet().stream(), tracks.keySet().stream())
                .mapToDouble(this::weight)
                .filter(weight -> weight > 0)
                .sorted()
                .toArray();
        return known.length == 0 ? 1 : known[known.length / 2];
    }

    private void update(BackendView backend, RoutingView view) {
        if (backend.load().saidWithin(EXPIRY_NANOS, view.nowNanos())) {
            tracks.remove(backend.id());
            hear(backend.id(), Objects.requireNonNull(backend.load().loadReport()), view.nowNanos());
        } else {
            told.remove(backend.id());
            ask(backend, view);
        }
    }

    private void hear(String id, LoadReport report, long nowNanos) {
        told.merge(id, new Told(nowNanos, nowNanos, 0), (old, _) -> {
            if (nowNanos - old.lastNanos < UPDATE_NANOS) {
                return old;
            }
            boolean early = nowNanos - old.firstNanos < BLACKOUT_NANOS;
            return new Told(old.firstNanos, nowNanos, early ? 0 : weight(report.report()));
        });
    }

    private static double weight(OrcaReport report) {
        double utilization =
                report.applicationUtilization() > 0 ? report.applicationUtilization() : report.cpuUtilization();
        double rate = report.requestsPerSecond();
        if (!(utilization > 0 && rate > 0)) {
            return 0;
        }
        double errors = Double.isNaN(report.errorsPerSecond()) ? 0 : report.errorsPerSecond();
        return rate / (utilization + ERROR_PENALTY * errors / rate);
    }

    private void ask(BackendView backend, RoutingView view) {
        long nowNanos = view.nowNanos();
        HostReport report = backend.report();
        if (report == null) {
            tracks.remove(backend.id());
            return;
        }
        tracks.merge(
                backend.id(),
                first(backend.load(), report, nowNanos),
                (old, _) -> nowNanos - old.lastNanos < UPDATE_NANOS ? old : next(old, backend.load(), report, view));
    }

    private static Track first(BackendLoad load, HostReport report, long nowNanos) {
        long available = report.sample().availableMemoryBytes();
        return new Track(nowNanos, nowNanos, load.answered(), load.failed(), available, 0, 0, 0);
    }

    private static Track next(Track old, BackendLoad load, HostReport report, RoutingView view) {
        long nowNanos = view.nowNanos();
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
                : Math.max(LEAST_WEIGHT, view.distributors() * rate / (utilization + ERROR_PENALTY * errors));
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
