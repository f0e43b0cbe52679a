// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Estimates in how many requests a document is asked for again, from all that was seen so far.
 *
 * <p>Documents are told apart by how often they were asked for (once, twice, 3 to 4, 5 to 8, more), and, from the second
 * request on, by the moving average of their gaps; each kind has its {@link Hazards}. There an age is counted in the
 * document's own average gap, which makes documents alike: what is learned from those that come back every ten requests
 * soon serves those that come back every eleven. Of a first-timer only its age is known.
 *
 * <p>Before anything is learned, the next request is thought as far away as the larger of average gap and age, and of a
 * first-timer as the mean second gap over the chance of a second request.
 *
 * <p>Exposure is estimated: at each request two known documents are drawn and stand for all. That is O(1), and counts
 * those that never come back, of which nobody would hear otherwise.
 *
 * <p>Distances follow the counts every {@value #SOLVE_EVERY} requests. A kind is worked out when it is first needed after
 * that, before anything more is counted: so no request pays for all of the kinds, and those that nobody asks about cost
 * nothing.
 */
final class ReuseDistances {

    /** Weight of the newest gap in the average. */
    private static final double NEWEST_GAP = 0.15;

    private static final int DRAWS = 2;

    /** Requests in a period, after which distances are worked out anew. */
    private static final int SOLVE_EVERY = 1024;

    /** Requests after which what was counted weighs half. */
    private static final int HALVE_EVERY = 20 * SOLVE_EVERY;

    /** The kind of a document before its first request. */
    static final int NO_KIND = -1;

    /** The kind of a document before its second request. */
    private static final int ONCE = 0;

    private static final int REQUEST_CLASSES = 4;
    private static final int GAP_CLASSES = 24;
    private static final int AGES_IN_REQUESTS = 24;
    private static final int AGES_IN_GAPS = 15;
    private static final int LEAST_AGE_IN_GAPS = -6;

    private final RandomGenerator random;
    private final FirstTimers firstTimers = new FirstTimers();
    private final Hazards[] kinds = new Hazards[1 + REQUEST_CLASSES * GAP_CLASSES];
    private int requests;
    private int period;
    private double firstTimersDistance = firstTimers.distance();

    ReuseDistances(RandomGenerator random) {
        this.random = random;
        Arrays.setAll(
                kinds,
                kind -> kind == ONCE ? new Hazards(0, AGES_IN_REQUESTS) : new Hazards(LEAST_AGE_IN_GAPS, AGES_IN_GAPS));
    }

    /** Takes note of a request for a document, whose own state it brings up to date. */
    <K> void requested(Known<K> document, long now, KnownDocuments<K> all) {
        expose(all, now);
        double age = now - document.lastRequest;
        switch (document.requests) {
            case 0 -> firstTimers.first();
            case 1 -> {
                solved(document).requested(age * document.perRequest);
                firstTimers.second(age);
                document.gap = age;
            }
            default -> {
                solved(document).requested(age * document.perRequest);
                document.gap += NEWEST_GAP * (age - document.gap);
            }
        }
        place(document, document.requests + 1, now);
        refresh();
    }

    /** Tells a document's kind by what is known of it from now on. */
    void place(Known<?> document, int requests, long now) {
        document.requests = requests;
        document.lastRequest = now;
        document.kind = kind(requests, document.gap);
        document.perRequest = 1 / unit(document);
    }

    /** Both are drawn before either is looked at, so that their cache misses overlap. */
    private <K> void expose(KnownDocuments<K> all, long now) {
        int size = all.size();
        if (size > 0) {
            Known<K> one = all.at(random.nextInt(size));
            Known<K> other = all.at(random.nextInt(size));
            expose(one, now, size);
            expose(other, now, size);
        }
    }

    private void expose(Known<?> document, long now, int size) {
        if (document.kind != NO_KIND) {
            double age = (now - document.lastRequest) * document.perRequest;
            solved(document).exposed(age, size * document.perRequest / DRAWS);
        }
    }

    private void refresh() {
        requests++;
        if (requests % HALVE_EVERY == 0) {
            for (Hazards kind : kinds) {
                kind.halve();
            }
        }
        if (requests % SOLVE_EVERY == 0) {
            period++;
            firstTimersDistance = firstTimers.distance();
        }
    }

    private static int kind(int requests, double gap) {
        if (requests == 1) {
            return ONCE;
        }
        int requestClass = Math.min(31 - Integer.numberOfLeadingZeros(requests - 1), REQUEST_CLASSES - 1);
        int gapClass = Math.min(Math.getExponent(gap + 1), GAP_CLASSES - 1);
        return 1 + requestClass * GAP_CLASSES + gapClass;
    }

    /** In how many requests a unit of the age in {@link Hazards} passes. */
    private static double unit(Known<?> document) {
        return document.requests == 1 ? 1 : document.gap + 1;
    }

    /** The document's kind, by what was counted until this period began. */
    private Hazards solved(Known<?> document) {
        int kind = document.kind;
        return kinds[kind].solvedFor(period, kind == ONCE ? firstTimersDistance : 1);
    }

    /**
     * In how many requests the next one for a document is thought to come, of which it had at least one.
     *
     * @param now when it is known that none came yet since the last one
     */
    double distance(Known<?> document, long now) {
        return unit(document) * solved(document).distance((now - document.lastRequest) * document.perRequest);
    }
}
