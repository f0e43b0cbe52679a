// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker: takes out servers whose health checks are answered and whose requests fail.
 *
 * <p>A health check asks for one page; a server that cannot reach its database answers it and fails everything else. So
 * requests themselves are evidence, of two kinds: a <b>row</b> of failures, which shows a dead server within a few
 * requests, and a <b>ratio</b> of failures, which shows a half-dead one. A ratio alone proves nothing when all servers
 * fail alike (a bad release, a client's nonsense), so it counts only if it is more than twice that of all others
 * together. Nor does it prove anything when the failures are over: it must be as high in the last fifth of the window. Without
 * that, of servers that have all recovered, the one whose failures happen to leave the window last would be taken out.
 *
 * <p>An ejection ends by time, because a server that gets nothing can prove nothing. It comes back through slow start,
 * so its first requests are few, and a server that fails them is out again at once, for twice as long.
 *
 * <p><b>How many.</b> Of n healthy servers floor(share · n) may be out, at least one of two or more, never all. A bare
 * share would protect nothing in a cluster of 2 or 3, and "at least one" would take away the last of 1. When servers die
 * and the places shrink, those that were out longest come back.
 *
 * <p>Linear in the number of backends, some times a second. Confined to the directory's thread; pure but for forgiving
 * the row of the {@link Answers} of whoever it ejects, and of whoever is back.
 */
final class OutlierWatch {
    private static final int MARKS_PER_WINDOW = 10;
    private static final int LATELY = 5;

    private final ProtectionSettings settings;
    private final Map<String, Past> pasts = new HashMap<>();

    OutlierWatch(ProtectionSettings settings) {
        this.settings = settings;
    }

    /**
     * Why a backend is out.
     *
     * @param sinceNanos when it was ejected
     * @param untilNanos when it may come back
     */
    record Ejection(String reason, long sinceNanos, long untilNanos) {}

    /** A backend that nothing else keeps from serving. */
    record Healthy(String id, Answers answers) {}

    private record Mark(long atNanos, long good, long bad) {}

    private record Suspect(Healthy backend, String reason, double ratio) {}

    /** Good and bad requests within the window. */
    private record Score(long good, long bad) {
        double ratio() {
            return bad == 0 ? 0 : (double) bad / (good + bad);
        }

        Score plus(Score other) {
            return new Score(good + other.good, bad + other.bad);
        }

        Score minus(Score other) {
            return new Score(good - other.good, bad - other.bad);
        }
    }

    /** What is remembered of one backend. */
    private static final class Past {
        final ArrayDeque<Mark> marks = new ArrayDeque<>();
        int timesEjected;

        @Nullable
        Ejection ejection;

        long backSinceNanos;
        /** Whether something else keeps it from serving. */
        boolean away;
    }

    /**
     * Takes the next look.
     *
     * @return who is out now, by id
     */
    Map<String, Ejection> observe(List<Healthy> healthy, Set<String> known, long nowNanos) {
        pasts.keySet().retainAll(known);
        Set<String> here = healthy.stream().map(Healthy::id).collect(Collectors.toSet());
        pasts.forEach((id, past) -> past.away |= !here.contains(id));
        healthy.stream().filter(backend -> past(backend).away).forEach(this::welcome);
        healthy.forEach(backend -> mark(backend, nowNanos));
        healthy.forEach(backend -> endIfDue(backend, nowNanos));
        keepPlaces(healthy, nowNanos);
        return healthy.stream()
                .filter(backend -> past(backend).ejection != null)
                .collect(Collectors.toMap(Healthy::id, backend -> ejection(past(backend))));
    }

    private static Ejection ejection(Past past) {
        return Objects.requireNonNull(past.ejection);
    }

    private Past past(Healthy backend) {
        return pasts.computeIfAbsent(backend.id(), added -> new Past());
    }

    /** What it failed before it was down, and those that it had in flight then, say nothing of who is up again. */
    private void welcome(Healthy backend) {
        Past past = past(backend);
        past.away = false;
        past.marks.clear();
        backend.answers().forgiveRow();
    }

    private void mark(Healthy backend, long nowNanos) {
        ArrayDeque<Mark> marks = past(backend).marks;
        long window = settings.window().toNanos();
        while (marks.size() > 1 && nowNanos - marks.getFirst().atNanos > window) {
            marks.removeFirst();
        }
        if (marks.isEmpty() || nowNanos - marks.getLast().atNanos >= window / MARKS_PER_WINDOW) {
            marks.addLast(new Mark(
                    nowNanos, backend.answers().good(), backend.answers().bad()));
        }
    }

    private Score score(Healthy backend) {
        return since(past(backend).marks.getFirst(), backend);
    }

    /** Of the last fifth of the window, or of all that is known if that is less. */
    private Score lately(Healthy backend, long nowNanos) {
        ArrayDeque<Mark> marks = past(backend).marks;
        Mark from = marks.getFirst();
        for (Mark mark : marks) {
            if (nowNanos - mark.atNanos >= settings.window().toNanos() / LATELY) {
                from = mark;
            }
        }
        return since(from, backend);
    }

    private static Score since(Mark mark, Healthy backend) {
        return new Score(backend.answers().good() - mark.good, backend.answers().bad() - mark.bad);
    }

    private void endIfDue(Healthy backend, long nowNanos) {
        Past past = past(backend);
        Ejection ejection = past.ejection;
        if (ejection != null && nowNanos - ejection.untilNanos >= 0) {
            bringBack(backend, nowNanos);
        } else if (ejection == null
                && nowNanos - past.backSinceNanos >= settings.maxEjection().toNanos()) {
            past.timesEjected = 0;
        }
    }

    /** Of its requests, those count that are sent from now on; what it had in flight when it was ejected may have failed since. */
    private void bringBack(Healthy backend, long nowNanos) {
        Past past = past(backend);
        past.ejection = null;
        past.backSinceNanos = nowNanos;
        past.marks.clear();
        backend.answers().forgiveRow();
    }

    private void keepPlaces(List<Healthy> healthy, long nowNanos) {
        List<Healthy> out = healthy.stream()
                .filter(backend -> past(backend).ejection != null)
                .sorted(Comparator.comparingLong(backend -> ejection(past(backend)).sinceNanos))
                .toList();
        int places = places(healthy.size());
        out.stream().limit(Math.max(0, out.size() - places)).forEach(backend -> bringBack(backend, nowNanos));
        suspects(healthy, nowNanos).stream()
                .limit(Math.max(0, places - out.size()))
                .forEach(suspect -> eject(suspect, nowNanos));
    }

    private int places(int healthy) {
        int share = (int) Math.floor(healthy * settings.maxEjectedShare());
        return settings.maxEjectedShare() == 0 || healthy < 2 ? 0 : Math.clamp(share, 1, healthy - 1);
    }

    /** The worst first. */
    private List<Suspect> suspects(List<Healthy> healthy, long nowNanos) {
        List<Healthy> in = healthy.stream()
                .filter(backend ->
                        past(backend).ejection == null && !past(backend).marks.isEmpty())
                .toList();
        Score all = in.stream().map(this::score).reduce(new Score(0, 0), Score::plus);
        List<Suspect> suspects = new ArrayList<>();
        for (Healthy backend : in) {
            String reason = accusation(backend, score(backend), all, nowNanos);
            if (reason != null) {
                suspects.add(new Suspect(backend, reason, score(backend).ratio()));
            }
        }
        suspects.sort(Comparator.comparingDouble(Suspect::ratio).reversed());
        return suspects;
    }

    private @Nullable String accusation(Healthy backend, Score own, Score all, long nowNanos) {
        int row = backend.answers().badInARow();
        if (row >= settings.failuresInARow()) {
            return row + " requests in a row failed";
        }
        boolean enough = own.good + own.bad >= settings.minRequests();
        boolean alone = own.ratio() > 2 * all.minus(own).ratio();
        return enough
                        && alone
                        && Math.min(own.ratio(), lately(backend, nowNanos).ratio()) >= settings.failureRatio()
                ? Math.round(own.ratio() * 100) + " % of " + (own.good + own.bad) + " requests failed"
                : null;
    }

    private void eject(Suspect suspect, long nowNanos) {
        Past past = past(suspect.backend);
        past.timesEjected++;
        past.ejection = new Ejection(suspect.reason, nowNanos, nowNanos + duration(past.timesEjected));
        suspect.backend.answers().forgiveRow();
    }

    private long duration(int times) {
        long first = settings.ejection().toNanos();
        long longest = settings.maxEjection().toNanos();
        int doublings = Math.min(times - 1, Long.numberOfLeadingZeros(Math.max(1, first)) - 1);
        return Math.min(longest, first << doublings);
    }
}
