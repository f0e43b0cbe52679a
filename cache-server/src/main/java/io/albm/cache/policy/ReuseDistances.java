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
 * <p>Counting costs more than all else that a hit does here. So one request of some {@value #LEAST_STRIDE} and more is
 * counted, for all of them, and {@value #DRAWS} known documents are drawn then, whose exposure stands for all: that counts
 * those that never come back, of which nobody would hear otherwise.
 *
 * <p>Distances follow the counts every {@value #SOLVE_EVERY} requests. A kind is worked out when it is first needed after
 * that, before anything more is counted: so no request pays for all of the kinds, and those that nobody asks about cost
 * nothing.
 */
final class ReuseDistances {

    /** Weight of the newest gap in the average. */
    private static final float NEWEST_GAP = 0.15f;

    /** Known documents whose exposure is counted with a request. */
    private static final int DRAWS = 3;

    /**
     * What the draws advance by, of 2<sup>32</sup>: any number of them in a row is spread more evenly over all documents than
     * random ones are, and costs less (Weyl's sequence with the golden ratio).
     */
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** Requests in a period, after which distances are worked out anew. */
    private static final int SOLVE_EVERY = 2048;

    /** Periods after which what was counted weighs half. */
    private static final int HALVE_EVERY = 10;

    /** Fewest requests from one that is counted to the next, once some periods have passed. */
    private static final int LEAST_STRIDE = 13;

    /** How many different numbers it may be: requests that come in turns all have theirs. */
    private static final int STRIDES = 7;

    /** The kind of a document before its second request. */
    private static final int ONCE = 0;

    private static final int REQUEST_CLASSES = 4;
    private static final int GAP_CLASSES = 24;
    private static final int AGES_IN_REQUESTS = 24;
    private static final int AGES_IN_GAPS = 15;
    private static final int LEAST_AGE_IN_GAPS = -6;

    private final RandomGenerator random;
    private final Known<?>[] drawn = new Known<?>[DRAWS];
    private final FirstTimers firstTimers = new FirstTimers();
    private final Hazards[] kinds = new Hazards[1 + REQUEST_CLASSES * GAP_CLASSES];
    private int spread;
    private int stride = 1;
    private int untilCounted = stride;
    private int untilSolved = SOLVE_EVERY;
    private int period;
    private double firstTimersDistance = firstTimers.distance();

    ReuseDistances(RandomGenerator random) {
        this.random = random;
        Arrays.setAll(
                kinds,
                kind -> kind == ONCE ? new Hazards(0, AGES_IN_REQUESTS) : new Hazards(LEAST_AGE_IN_GAPS, AGES_IN_GAPS));
    }

    /** Takes note of a request for a document, whose own state it brings up to date. */
    void requested(Known<?> document, long now, KnownDocuments<?> all) {
        if (--untilCounted == 0) {
            count(document, now, all);
        }
        if (document.requests == 0) {
            firstTimers.first();
        } else {
            float age = now - document.lastRequest;
            if (document.requests == 1) {
                firstTimers.second(age);
                document.gap = age;
            } else {
                document.gap += NEWEST_GAP * (age - document.gap);
            }
        }
        place(document, document.requests + 1, now);
    }

    private void count(Known<?> document, long now, KnownDocuments<?> all) {
        if (document.requests > 0) {
            solved(kind(document)).requested(age(document, now), stride);
        }
        expose(all, now);
        untilSolved -= stride;
        if (untilSolved <= 0) {
            untilSolved += SOLVE_EVERY;
            nextPeriod();
        }
        stride = Math.min(period + 1, LEAST_STRIDE) + random.nextInt(STRIDES);
        untilCounted = stride;
    }

    private void nextPeriod() {
        period++;
        firstTimersDistance = firstTimers.distance();
        if (period % HALVE_EVERY == 0) {
            for (Hazards kind : kinds) {
                kind.halve();
            }
        }
    }

    /** Notes what is known of a document from now on. */
    void place(Known<?> document, int requests, long now) {
        document.requests = requests;
        document.lastRequest = now;
        document.told = (int) now;
    }

    /** All are drawn before any is looked at, so that their cache misses overlap. */
    private void expose(KnownDocuments<?> all, long now) {
        int size = all.size();
        if (size > 0) {
            for (int draw = 0; draw < DRAWS; draw++) {
                spread += GOLDEN_RATIO;
                drawn[draw] = all.draw(spread, size);
            }
            double weight = (double) size * stride / DRAWS;
            for (Known<?> document : drawn) {
                expose(document, now, weight);
            }
            Arrays.fill(drawn, null);
        }
    }

    private void expose(Known<?> document, long now, double weight) {
        if (document.requests > 0) {
            solved(kind(document)).exposed(age(document, now), weight * agesPerRequest(document));
        }
    }

    private static int kind(Known<?> document) {
        if (document.requests == 1) {
            return ONCE;
        }
        int requestClass = Math.min(31 - Integer.numberOfLeadingZeros(document.requests - 1), REQUEST_CLASSES - 1);
        int gapClass = Math.min(Math.getExponent(document.gap + 1), GAP_CLASSES - 1);
        return 1 + requestClass * GAP_CLASSES + gapClass;
    }

    private static float agesPerRequest(Known<?> document) {
        return document.requests == 1 ? 1 : 1 / (document.gap + 1);
    }

    /** In the kind's unit of time. */
    private static float age(Known<?> document, long now) {
        return (now - document.lastRequest) * agesPerRequest(document);
    }

    /** The kind, by what was counted until this period began. */
    private Hazards solved(int kind) {
        return kinds[kind].solvedFor(period, kind == ONCE ? firstTimersDistance : 1);
    }

    /**
     * In how many requests the next one for a document is thought to come, of which it had at least one.
     *
     * @param now when it is known that none came yet since the last one
     */
    double distance(Known<?> document, long now) {
        if ((int) now - document.told >= 0) {
            tell(document, now);
        }
        return document.distance;
    }

    private void tell(Known<?> document, long now) {
        Hazards kind = solved(kind(document));
        float age = age(document, now);
        float agesPerRequest = agesPerRequest(document);
        document.distance = (float) (kind.distance(age) / agesPerRequest);
        document.told = (int) now + (int) Math.min(untilSolved, kind.untilNext(age) / agesPerRequest) + 1;
    }
}
