// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.Preconditions.Verdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreconditionsTest {

    private static final String SAME = "Thu, 01 Jan 2026 00:00:05 GMT";
    private static final String BEFORE = "Thu, 01 Jan 2026 00:00:04 GMT";
    private static final String AFTER = "Thu, 01 Jan 2026 00:00:06 GMT";
    private static final String ETAG = "\"abc\"";
    private static final Instant MODIFIED = Instant.parse("2026-01-01T00:00:05.7Z");

    private static Verdict evaluate(String... lines) {
        return Preconditions.evaluate(Heads.get(lines), ETAG, MODIFIED);
    }

    private static boolean allowsRange(Instant now, String... lines) {
        return Preconditions.allowsRange(Heads.get(lines), ETAG, MODIFIED, now);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    If-None-Match       | "abc"            | NOT_MODIFIED
                    If-None-Match       | W/"abc"          | NOT_MODIFIED
                    If-None-Match       | "x", "abc"       | NOT_MODIFIED
                    If-None-Match       | "x,\\"abc"       | PROCEED
                    If-None-Match       | *                | NOT_MODIFIED
                    If-None-Match       | "abcd"           | PROCEED
                    If-None-Match       | abc              | PROCEED
                    If-Match            | "abc"            | PROCEED
                    If-Match            | *                | PROCEED
                    If-Match            | "x"              | FAILED
                    If-Match            | W/"abc"          | FAILED
                    If-Modified-Since   | not a date       | PROCEED
                    If-Unmodified-Since | not a date       | PROCEED
                    """)
    void comparesEntityTags(String name, String value, Verdict verdict) {
        assertThat(evaluate(name + ": " + value)).isEqualTo(verdict);
    }

    @Test
    void comparesDatesBySeconds() {
        assertThat(evaluate("If-Modified-Since: " + SAME)).isEqualTo(Verdict.NOT_MODIFIED);
        assertThat(evaluate("If-Modified-Since: " + AFTER)).isEqualTo(Verdict.NOT_MODIFIED);
        assertThat(evaluate("If-Modified-Since: " + BEFORE)).isEqualTo(Verdict.PROCEED);
        assertThat(evaluate("If-Unmodified-Since: " + SAME)).isEqualTo(Verdict.PROCEED);
        assertThat(evaluate("If-Unmodified-Since: " + BEFORE)).isEqualTo(Verdict.FAILED);
    }

    @Test
    void entityTagsOutrankDates() {
        assertThat(evaluate("If-None-Match: \"x\"", "If-Modified-Since: " + AFTER))
                .isEqualTo(Verdict.PROCEED);
        assertThat(evaluate("If-Match: \"abc\"", "If-Unmodified-Since: " + BEFORE))
                .isEqualTo(Verdict.PROCEED);
        assertThat(evaluate("If-Match: \"x\"", "If-None-Match: \"abc\"")).isEqualTo(Verdict.FAILED);
    }

    @Test
    void allowsARangeOfThisVeryContentOnly() {
        Instant later = MODIFIED.plusSeconds(60);
        assertThat(allowsRange(later)).isTrue();
        assertThat(allowsRange(later, "If-Range: \"abc\"")).isTrue();
        assertThat(allowsRange(later, "If-Range: W/\"abc\"")).isFalse();
        assertThat(allowsRange(later, "If-Range: \"x\"")).isFalse();
        assertThat(allowsRange(later, "If-Range: " + SAME)).isTrue();
        assertThat(allowsRange(later, "If-Range: " + AFTER)).isFalse();
        assertThat(allowsRange(MODIFIED, "If-Range: " + SAME))
                .as("too young for a date to be exact")
                .isFalse();
    }
}
