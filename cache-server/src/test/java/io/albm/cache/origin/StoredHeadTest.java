// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static io.albm.cache.origin.Replies.NOW;
import static io.albm.cache.origin.Replies.date;
import static io.albm.cache.origin.Replies.ok;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredHeadTest {

    private static final Instant LATER = NOW.plusSeconds(100);

    @Test
    void keepsNoFieldOfTheConnection() {
        StoredHead stored = ok(
                "Connection",
                "a, b",
                "A",
                "1",
                "b",
                "2",
                "c",
                "3",
                "Keep-Alive",
                "x",
                "Upgrade",
                "y",
                "TE",
                "z",
                "Proxy-Authenticate",
                "p",
                "Transfer-Encoding",
                "chunked",
                "Date",
                date(0));
        assertThat(stored.reply().fields()).isEqualTo(FieldList.of("c", "3", "Date", date(0)));
    }

    @Test
    void keepsWhatConnectionMayNotName() {
        StoredHead stored = ok("Connection", "cache-control", "Cache-Control", "private");
        assertThat(stored.reply().fields().has("Cache-Control")).isTrue();
    }

    @Test
    void keepsNoFieldThatNeedsValidationOrIsPrivate() {
        StoredHead stored = ok("Cache-Control", "no-cache=\"a\", private=\"b\"", "a", "1", "B", "2", "c", "3");
        assertThat(stored.reply().fields().has("a")).isFalse();
        assertThat(stored.reply().fields().has("b")).isFalse();
        assertThat(stored.reply().fields().has("c")).isTrue();
    }

    @Test
    void datesAResponseWithoutDate() {
        assertThat(ok("a", "1").reply().fields().first("Date")).isEqualTo(date(0));
    }

    @Test
    void takesTheFieldsOfAValidationAndTheLifetimeThatFollows() {
        StoredHead stored =
                ok("Cache-Control", "max-age=2", "Test", "old", "Kept", "k", "ETag", "\"a\"", "Date", date(0));
        StoredHead updated = stored.updated(
                FieldList.of("Date", date(100), "Cache-Control", "max-age=60", "Test", "new", "Added", "x"),
                LATER,
                LATER);
        FieldList fields = updated.reply().fields();
        assertThat(fields.all("Test")).containsExactly("new");
        assertThat(fields.all("Kept")).containsExactly("k");
        assertThat(fields.all("Added")).containsExactly("x");
        assertThat(updated.freshness().remaining(LATER)).isEqualTo(Duration.ofSeconds(60));
        assertThat(updated.reply().status()).isEqualTo(200);
    }

    @Test
    void keepsWhatBelongsToTheBytes() {
        StoredHead stored = ok(
                "Content-Length",
                "5",
                "Content-Encoding",
                "gzip",
                "Content-Range",
                "x",
                "Content-MD5",
                "m",
                "ETag",
                "\"a\"");
        StoredHead updated = stored.updated(
                FieldList.of(
                        "Content-Length",
                        "9",
                        "Content-Encoding",
                        "br",
                        "Content-Range",
                        "y",
                        "Content-MD5",
                        "n",
                        "ETag",
                        "\"b\"",
                        "Content-Type",
                        "text/plain"),
                LATER,
                LATER);
        FieldList fields = updated.reply().fields();
        assertThat(fields.all("Content-Length")).containsExactly("5");
        assertThat(fields.all("Content-Encoding")).containsExactly("gzip");
        assertThat(fields.all("Content-Range")).containsExactly("x");
        assertThat(fields.all("Content-MD5")).containsExactly("m");
        assertThat(fields.all("ETag")).containsExactly("\"a\"");
        assertThat(fields.all("Content-Type")).containsExactly("text/plain");
    }

    @Test
    void countsItsAgeFromTheValidation() {
        StoredHead stored = ok("Cache-Control", "max-age=60", "Date", date(0), "Age", "50");
        StoredHead updated = stored.updated(FieldList.EMPTY, LATER, LATER);
        assertThat(updated.freshness().age(LATER)).isEqualTo(Duration.ZERO);
        assertThat(updated.freshness().isFresh(LATER.plusSeconds(59))).isTrue();
    }

    @Test
    void believesTheAgeOfAValidation() {
        StoredHead updated =
                ok("Cache-Control", "max-age=60", "Date", date(0)).updated(FieldList.of("Age", "50"), LATER, LATER);
        assertThat(updated.freshness().age(LATER)).isEqualTo(Duration.ofSeconds(50));
        assertThat(updated.reply().fields().has("Age")).isFalse();
    }
}
