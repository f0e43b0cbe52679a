// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Counter;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Thresholds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes servers out of rotation before they fail, and puts them back without a shock.
 *
 * <p>Paper P1 (section 4) drops a server from round robin while its available memory is below 100 MB. Taken to the
 * letter that rule flaps (a server that gets nothing frees memory at once, comes back, and is short again), and it can
 * take out every server when all are short, which is the moment they are needed most. So this watch adds six things:
 *
 * <ul>
 *   <li><b>Two levels.</b> Relieve past one, recover past the other; between them nothing changes.
 *   <li><b>Any counter.</b> A server that is short of any counter with a threshold is short; it has recovered when it has
 *       enough of all. A counter that its host does not have says nothing.
 *   <li><b>Samples in a row.</b> One sample past a level is noise. Agents report on change only, so a report that still
 *       stands after one sample period counts as the next sample.
 *   <li><b>A minimum time out</b>, so that the memory of requests in flight is really gone.
 *   <li><b>A largest share out.</b> Of n available servers at most floor(share · n) are out, and never all n. When more
 *       are short, the shortest go first; those beyond the share serve on. When servers die and the share shrinks, the
 *       least short of those that are out come back to help, whatever their time out.
 *   <li><b>Slow start.</b> A server that comes back takes a share of its turns that grows evenly to 1.
 * </ul>
 *
 * <p>A host whose reports are missing or too old is judged by its health checks alone: a silent agent is no error, and
 * a server that was out when its agent fell silent comes back through slow start. An agent that says {@code Relieved}
 * counts like a sample below the level, whatever its counters are.
 *
 * <p>Cost: {@link #observe} is linear in the number of backends plus a sort of those that are short, some times a
 * second; {@link #weight} is one map lookup. Confined to the one thread that makes rotations.
 */
final class ThresholdWatch {
    private static final double FIRST_WEIGHT = 0.1;

    private final Map<String, Standing> standings = new HashMap<>();
    private final Map<String, Counted> counted = new HashMap<>();

    /** Where one backend stands. Samples are counted in a row. */
    private sealed interface Standing {
        /** Takes its full share. */
        record In(int lowSamples) implements Standing {}

        /** Takes nothing. */
        record Out(Relief relief, int goodSamples) implements Standing {}

        /** Takes a share that grows since then. */
        record Returning(long sinceNanos, int lowSamples) implements Standing {}
    }

    /** What one new sample says. */
    private enum Verdict {
        LOW,
        BETWEEN,
        GOOD
    }

    /** The sample that was counted last, so that none is counted twice. */
    private record Counted(long sequence, long atNanos) {}

    /** Takes the next look at all backends. */
    void observe(RoutingView view) {
        List<BackendView> available =
                view.backends().stream().filter(BackendView::available).toList();
        forgetAllBut(available.stream().map(BackendView::id).collect(Collectors.toSet()));
        for (BackendView backend : available) {
            standings.put(backend.id(), step(standing(backend.id()), backend, view));
        }
        keepShare(available, view);
    }

    /** The share of its turns that a backend takes: 0 (relieved) to 1. */
    double weight(String id, RoutingView view) {
        return switch (standing(id)) {
            case Standing.In in -> 1;
            case Standing.Out out -> 0;
            case Standing.Returning returning -> ramp(returning, view);
        };
    }

    /** Who is out, and why. */
    Map<String, Relief> relieved() {
        var reliefs = new HashMap<String, Relief>();
        standings.forEach((id, standing) -> {
            if (standing instanceof Standing.Out out) {
                reliefs.put(id, out.relief);
            }
        });
        return reliefs;
    }

    private Standing standing(String id) {
        return standings.getOrDefault(id, new Standing.In(0));
    }

    private void forgetAllBut(Set<String> ids) {
        standings.keySet().retainAll(ids);
        counted.keySet().retainAll(ids);
    }

    private Standing step(Standing standing, BackendView backend, RoutingView view) {
        HostReport report = backend.report();
        if (report == null) {
            return withoutReport(standing, view);
        }
        Standing settled = settle(standing, view);
        return isNewSample(backend.id(), report, view)
                ? withSample(settled, judge(report, view.relief().thresholds()), view)
                : settled;
    }

    private static Standing withoutReport(Standing standing, RoutingView view) {
        return switch (standing) {
            case Standing.In in -> new Standing.In(0);
            case Standing.Out out -> new Standing.Returning(view.nowNanos(), 0);
            case Standing.Returning returning -> settle(returning, view);
        };
    }

    private static Standing settle(Standing standing, RoutingView view) {
        return standing instanceof Standing.Returning returning && ramp(returning, view) >= 1
                ? new Standing.In(returning.lowSamples)
                : standing;
    }

    private boolean isNewSample(String id, HostReport report, RoutingView view) {
        Counted last = counted.get(id);
        boolean isNew = last == null
                || last.sequence != report.sequence()
                || view.nowNanos() - last.atNanos
                        >= view.relief().samplePeriod().toNanos();
        if (isNew) {
            counted.put(id, new Counted(report.sequence(), view.nowNanos()));
        }
        return isNew;
    }

    private static Verdict judge(HostReport report, Thresholds thresholds) {
        if (report.health() instanceof HostHealth.Relieved || thresholds.isShort(report.sample())) {
            return Verdict.LOW;
        }
        return thresholds.isRecovered(report.sample()) ? Verdict.GOOD : Verdict.BETWEEN;
    }

    private static Standing withSample(Standing standing, Verdict verdict, RoutingView view) {
        return switch (standing) {
            case Standing.In in -> new Standing.In(inARow(in.lowSamples, verdict == Verdict.LOW));
            case Standing.Returning returning ->
                new Standing.Returning(returning.sinceNanos, inARow(returning.lowSamples, verdict == Verdict.LOW));
            case Standing.Out out -> recovered(out, inARow(out.goodSamples, verdict == Verdict.GOOD), view);
        };
    }

    private static int inARow(int before, boolean another) {
        return another ? Math.min(before, Integer.MAX_VALUE - 1) + 1 : 0;
    }

    private static Standing recovered(Standing.Out out, int goodSamples, RoutingView view) {
        boolean rested = view.nowNanos() - out.relief.sinceNanos()
                >= view.relief().minTimeOut().toNanos();
        return rested && goodSamples >= view.relief().samples()
                ? new Standing.Returning(view.nowNanos(), 0)
                : new Standing.Out(out.relief, goodSamples);
    }

    private void keepShare(List<BackendView> available, RoutingView view) {
        List<BackendView> shortestFirst = available.stream()
                .sorted(Comparator.comparingDouble(backend -> margin(backend, view)))
                .toList();
        List<BackendView> out = shortestFirst.stream()
                .filter(backend -> standing(backend.id()) instanceof Standing.Out)
                .toList();
        int places = places(available.size(), view.relief().maxShare());
        out.stream().skip(places).forEach(backend -> callBack(backend, view));
        shortestFirst.stream()
                .filter(backend -> isShort(backend, view))
                .limit(Math.max(0, places - out.size()))
                .forEach(backend -> relieve(backend, view));
    }

    private static int places(int available, double maxShare) {
        return Math.max(0, Math.min((int) Math.floor(available * maxShare), available - 1));
    }

    private static double margin(BackendView backend, RoutingView view) {
        HostReport report = backend.report();
        return report == null
                ? Double.POSITIVE_INFINITY
                : view.relief().thresholds().margin(report.sample());
    }

    /** Short for enough samples, and still so by the levels of this moment, which may have changed. */
    private boolean isShort(BackendView backend, RoutingView view) {
        HostReport report = backend.report();
        int inARow = switch (standing(backend.id())) {
            case Standing.In in -> in.lowSamples;
            case Standing.Returning returning -> returning.lowSamples;
            case Standing.Out out -> 0;
        };
        return report != null
                && inARow >= view.relief().samples()
                && judge(report, view.relief().thresholds()) == Verdict.LOW;
    }

    private void callBack(BackendView backend, RoutingView view) {
        standings.put(backend.id(), new Standing.Returning(view.nowNanos(), 0));
    }

    private void relieve(BackendView backend, RoutingView view) {
        HostReport report = Objects.requireNonNull(backend.report());
        standings.put(backend.id(), new Standing.Out(reason(report, view), 0));
    }

    /** Why a host that is short is relieved: what its agent says, or the counter that it is shortest of. */
    static Relief reason(HostReport report, RoutingView view) {
        if (report.health() instanceof HostHealth.Relieved agent) {
            return new Relief(view.nowNanos(), agent.counter(), agent.value());
        }
        Counter counter = view.relief()
                .thresholds()
                .tightest(report.sample())
                .orElseThrow()
                .counter();
        return new Relief(view.nowNanos(), counter.label(), report.sample().value(counter));
    }

    private static double ramp(Standing.Returning returning, RoutingView view) {
        long whole = view.relief().slowStart().toNanos();
        long elapsed = view.nowNanos() - returning.sinceNanos;
        return elapsed >= whole ? 1 : Math.max(FIRST_WEIGHT, (double) elapsed / whole);
    }
}
