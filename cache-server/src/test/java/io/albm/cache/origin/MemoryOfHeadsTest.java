// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.store.ResidentControl.Kept;
import java.time.Duration;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** What responses take beside their bodies is bounded by the capacity, too. */
class MemoryOfHeadsTest extends OriginHarness {

    private static final int LARGE = 4000;
    private static final String TEXT = "x".repeat(LARGE);

    /** The books are what the kept responses take, and within the bound. */
    private void assertBooks() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> cache.memory().transit() == 0);
        long kept = cache.control().first(Integer.MAX_VALUE, Comparator.comparing(Kept::name)).stream()
                .mapToLong(Kept::bytes)
                .sum();
        assertThat(cache.memory().resident()).isEqualTo(kept).isLessThanOrEqualTo(CAPACITY);
    }

    @Test
    void headsOfEmptyBodiesAreEvictedForOthers() throws Exception {
        origin.answer("", "Cache-Control: max-age=60", "X-Large: " + TEXT);
        for (int i = 0; i < 700; i++) {
            get("/" + i);
            if (i % 50 == 0) {
                assertBooks();
            }
        }
        assertBooks();
        assertThat(cache.memory().heap()).isGreaterThan((long) cache.responses() * LARGE);
        assertThat(cache.responses()).isLessThan((int) (CAPACITY / 2 / LARGE));
        assertThat(get("/699").headers().firstValue("x-large")).contains(TEXT);
        assertThat(origin.asked()).hasSize(700);
    }

    @Test
    void namesAreEvictedForOthers() throws Exception {
        origin.answer("", "Cache-Control: max-age=60", "Vary: X-Kind");
        for (int i = 0; i < 500; i++) {
            get("/" + i + TEXT.substring(2000), "X-Kind", TEXT.substring(2500));
        }
        assertBooks();
        assertThat(cache.responses()).isLessThan((int) (CAPACITY / 3 / 3500)).isPositive();
    }

    @Test
    void aHeadThatGrewByAValidationTakesMore() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        long before = cache.memory().heap();
        passSeconds(61);
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 304, "", "ETag: \"a\"", "Cache-Control: max-age=60", "X-Large: " + TEXT));
        assertThat(get("/a").headers().firstValue("x-large")).contains(TEXT);
        assertBooks();
        assertThat(cache.memory().heap()).isGreaterThan(before + 2 * LARGE);
        assertThat(get("/a").headers().firstValue("x-large")).contains(TEXT);
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void headsThatGrewAreEvictedForOthers() throws Exception {
        origin.answer("", "Cache-Control: max-age=60", "ETag: \"a\"");
        for (int i = 0; i < 400; i++) {
            get("/" + i, "X-No", "1");
        }
        assertThat(cache.responses()).isEqualTo(400);
        passSeconds(61);
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 304, "", "ETag: \"a\"", "Cache-Control: max-age=60", "X-Large: " + TEXT));
        for (int i = 0; i < 400; i++) {
            assertThat(get("/" + i).statusCode()).isEqualTo(200);
            assertBooks();
        }
        assertThat(cache.responses()).isLessThan(400).isPositive();
    }
}
