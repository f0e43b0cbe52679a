// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.store.Identity;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conditional requests for GET and HEAD, in the precedence of RFC 9110, section 13.2.2. Pure.
 */
final class Preconditions {

    enum Verdict {
        PROCEED,
        NOT_MODIFIED,
        FAILED
    }

    private static final Pattern ENTITY_TAG = Pattern.compile("(W/)?(\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")");

    private Preconditions() {}

    static Verdict evaluate(HttpHeaders request, Identity identity) {
        if (request.contains(HttpHeaderNames.IF_MATCH)) {
            if (!anyTag(request.getAll(HttpHeaderNames.IF_MATCH), identity.etag(), false)) {
                return Verdict.FAILED;
            }
        } else if (isModifiedAfter(request.get(HttpHeaderNames.IF_UNMODIFIED_SINCE), identity, false)) {
            return Verdict.FAILED;
        }
        boolean unchanged = request.contains(HttpHeaderNames.IF_NONE_MATCH)
                ? anyTag(request.getAll(HttpHeaderNames.IF_NONE_MATCH), identity.etag(), true)
                : request.contains(HttpHeaderNames.IF_MODIFIED_SINCE)
                        && !isModifiedAfter(request.get(HttpHeaderNames.IF_MODIFIED_SINCE), identity, true);
        return unchanged ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
    }

    /**
     * Whether a Range header counts: there is no If-Range, or it names this very content. A date does so only if it
     * is the exact modification time and that is over a second ago, because of the one-second resolution.
     */
    static boolean allowsRange(HttpHeaders request, Identity identity, Instant now) {
        String condition = request.get(HttpHeaderNames.IF_RANGE);
        if (condition == null) {
            return true;
        }
        Optional<Instant> date = date(condition);
        if (date.isPresent()) {
            return date.get().equals(seconds(identity.modified()))
                    && identity.modified().isBefore(now.minusSeconds(1));
        }
        return condition.strip().equals(identity.etag());
    }

    /** A date that cannot be read is ignored, as the RFC asks; {@code whenIgnored} is the answer then. */
    private static boolean isModifiedAfter(@Nullable String date, Identity identity, boolean whenIgnored) {
        return date(date)
                .map(since -> seconds(identity.modified()).isAfter(since))
                .orElse(whenIgnored);
    }

    private static Optional<Instant> date(@Nullable String text) {
        return Optional.ofNullable(text)
                .map(String::strip)
                .filter(date -> !date.startsWith("\"") && !date.startsWith("W/"))
                .map(DateFormatter::parseHttpDate)
                .map(Date::toInstant);
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private static boolean anyTag(List<String> headers, String etag, boolean weakMatches) {
        return headers.stream().anyMatch(header -> header.strip().equals("*") || names(header, etag, weakMatches));
    }

    private static boolean names(String header, String etag, boolean weakMatches) {
        return ENTITY_TAG.matcher(header).results().anyMatch(tag -> isSame(tag, etag, weakMatches));
    }

    private static boolean isSame(MatchResult tag, String etag, boolean weakMatches) {
        return (weakMatches || tag.group(1) == null) && tag.group(2).equals(etag);
    }
}
