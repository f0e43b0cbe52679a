// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Field;
import io.albm.core.http.RequestHead;
import io.netty.handler.codec.DateFormatter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Conditional requests for GET and HEAD, in the precedence of RFC 9110, section 13.2.2. Pure.
 */
public final class Preconditions {

    /** What becomes of the request. */
    public enum Verdict {
        PROCEED,
        NOT_MODIFIED,
        FAILED
    }

    /** The fields that make a request conditional, or ask for a part. */
    public static final long FIELDS = Field.set(
            Field.IF_MATCH,
            Field.IF_NONE_MATCH,
            Field.IF_MODIFIED_SINCE,
            Field.IF_UNMODIFIED_SINCE,
            Field.IF_RANGE,
            Field.RANGE);

    private static final Pattern ENTITY_TAG = Pattern.compile("(W/)?(\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")");

    private Preconditions() {}

    /**
     * Judges a request by what is there.
     *
     * @param etag a strong entity tag, with its quotes
     */
    public static Verdict evaluate(RequestHead request, String etag, Instant modified) {
        if (request.has(Field.IF_MATCH)) {
            if (!anyTag(request, Field.IF_MATCH, etag, false)) {
                return Verdict.FAILED;
            }
        } else if (isModifiedAfter(request, Field.IF_UNMODIFIED_SINCE, modified, false)) {
            return Verdict.FAILED;
        }
        boolean unchanged = request.has(Field.IF_NONE_MATCH)
                ? anyTag(request, Field.IF_NONE_MATCH, etag, true)
                : request.has(Field.IF_MODIFIED_SINCE)
                        && !isModifiedAfter(request, Field.IF_MODIFIED_SINCE, modified, true);
        return unchanged ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
    }

    /**
     * Whether a Range header counts: there is no If-Range, or it names this very content. A date does so only if it
     * is the exact modification time and that is over a second ago, because of the one-second resolution.
     */
    public static boolean allowsRange(RequestHead request, String etag, Instant modified, Instant now) {
        if (!request.has(Field.IF_RANGE)) {
            return true;
        }
        Optional<Instant> date = date(request, Field.IF_RANGE);
        if (date.isPresent()) {
            return date.get().equals(seconds(modified)) && modified.isBefore(now.minusSeconds(1));
        }
        return etag.equals(request.value(Field.IF_RANGE));
    }

    /** A date that cannot be read is ignored, as the RFC asks; {@code whenIgnored} is the answer then. */
    private static boolean isModifiedAfter(RequestHead request, Field field, Instant modified, boolean whenIgnored) {
        return date(request, field)
                .map(since -> seconds(modified).isAfter(since))
                .orElse(whenIgnored);
    }

    private static Optional<Instant> date(RequestHead request, Field field) {
        return Optional.ofNullable(request.value(field))
                .filter(date -> !date.startsWith("\"") && !date.startsWith("W/"))
                .map(DateFormatter::parseHttpDate)
                .map(Date::toInstant);
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private static boolean anyTag(RequestHead request, Field field, String etag, boolean weakMatches) {
        return anyValue(request, field, value -> value.equals("*") || names(value, etag, weakMatches));
    }

    private static boolean anyValue(RequestHead request, Field field, Predicate<String> wanted) {
        for (int line = request.next(field, 0); line < request.count(); line = request.next(field, line + 1)) {
            if (wanted.test(request.text(request.valueStart(line), request.valueEnd(line)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean names(String value, String etag, boolean weakMatches) {
        return ENTITY_TAG.matcher(value).results().anyMatch(tag -> isSame(tag, etag, weakMatches));
    }

    private static boolean isSame(MatchResult tag, String etag, boolean weakMatches) {
        return (weakMatches || tag.group(1) == null) && tag.group(2).equals(etag);
    }
}
