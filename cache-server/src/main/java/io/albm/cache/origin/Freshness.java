// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * How long a response may be used, and how old it was when it came (RFC 9111, section 4.2). Pure.
 *
 * <p>What cannot be read errs on the stale side: a {@code max-age} that is no number is 0, an {@code Expires} that is no
 * time is past, and an {@code Age} that is not one number, which section 5.1 would let a cache ignore, makes the response
 * stale, because it comes from a cache whose word on the age is all there is.
 *
 * @param lifetime from the origin's making of it
 * @param basis what the lifetime rests on
 * @param initialAge at {@code received}
 * @param received when the response came
 */
record Freshness(Duration lifetime, Basis basis, Duration initialAge, Instant received) {

    /** What a lifetime rests on. */
    enum Basis {
        /** The origin said it. */
        EXPLICIT,
        /** A tenth of the time since the last change. */
        HEURISTIC,
        /** Nothing: it is zero. */
        NONE
    }

    private static final Duration UNKNOWN_AGE = Duration.ofSeconds(Directives.MOST_SECONDS);
    private static final Duration LONGEST_HEURISTIC = Duration.ofDays(1);
    private static final int HEURISTIC_PART = 10;

    /**
     * The freshness of a response.
     *
     * @param requested when it was asked for
     * @param received when it came
     */
    static Freshness of(Reply reply, Instant requested, Instant received) {
        Instant date = HttpDate.parse(reply.fields().first("Date"), received).orElse(received);
        CachePolicy policy = CachePolicy.of(reply.fields());
        Duration age = initialAge(reply.fields(), date, requested, received);
        return explicit(reply, policy, date, received)
                .map(lifetime -> new Freshness(lifetime, Basis.EXPLICIT, age, received))
                .or(() -> heuristic(reply, policy, date, received)
                        .map(lifetime -> new Freshness(lifetime, Basis.HEURISTIC, age, received)))
                .orElse(new Freshness(Duration.ZERO, Basis.NONE, age, received));
    }

    private static Optional<Duration> explicit(Reply reply, CachePolicy policy, Instant date, Instant now) {
        Directives directives = policy.directives();
        long maxAge = directives.seconds("s-maxage", directives.seconds("max-age", -1));
        if (maxAge >= 0) {
            return Optional.of(Duration.ofSeconds(maxAge));
        }
        return policy.targeted() || !reply.fields().has("Expires")
                ? Optional.empty()
                : Optional.of(untilExpired(reply.fields(), date, now));
    }

    private static Duration untilExpired(Fields fields, Instant date, Instant now) {
        return HttpDate.parse(fields.first("Expires"), now)
                .map(expires -> atLeastZero(Duration.between(date, expires)))
                .orElse(Duration.ZERO);
    }

    private static Optional<Duration> heuristic(Reply reply, CachePolicy policy, Instant date, Instant now) {
        if (!Statuses.isHeuristicallyCacheable(reply.status())
                && !policy.directives().has("public")) {
            return Optional.empty();
        }
        return HttpDate.parse(reply.fields().first("Last-Modified"), now)
                .map(modified -> atLeastZero(Duration.between(modified, date)).dividedBy(HEURISTIC_PART))
                .map(tenth -> tenth.compareTo(LONGEST_HEURISTIC) > 0 ? LONGEST_HEURISTIC : tenth);
    }

    /** Section 4.2.3. Dates have whole seconds: what is less than one between clocks is no age. */
    private static Duration initialAge(Fields fields, Instant date, Instant requested, Instant received) {
        Duration apparent = atLeastZero(Duration.between(date, received.truncatedTo(ChronoUnit.SECONDS)));
        List<String> ages = fields.all("Age");
        long seconds = switch (ages.size()) {
            case 0 -> 0;
            case 1 -> Directives.deltaSeconds(ages.getFirst());
            default -> -1;
        };
        if (seconds < 0) {
            return UNKNOWN_AGE;
        }
        Duration told = Duration.ofSeconds(seconds).plus(atLeastZero(Duration.between(requested, received)));
        return told.compareTo(apparent) > 0 ? told : apparent;
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    Duration age(Instant now) {
        return initialAge.plus(atLeastZero(Duration.between(received, now)));
    }

    /** How much longer it is fresh; not positive once it is stale. */
    Duration remaining(Instant now) {
        return lifetime.minus(age(now));
    }

    boolean isFresh(Instant now) {
        return remaining(now).compareTo(Duration.ZERO) > 0;
    }

    /** Whether it is fresh, or has been stale for less than so many seconds. */
    boolean isUsable(Instant now, long staleSeconds) {
        return remaining(now).plusSeconds(staleSeconds).compareTo(Duration.ZERO) > 0;
    }
}
