// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reply from memory that breaks with an error gives its response back and ends its connection. */
class BrokenCachedReplyTest extends OriginHarness {
    private volatile boolean broken;

    @Override
    LongAdder counter(String name) {
        return name.equals("http_responses_total") ? new BreakingCounter() : super.counter(name);
    }

    private final class BreakingCounter extends LongAdder {
        @Override
        public void add(long more) {
            if (broken) {
                throw new LinkageError("at the count of replies");
            }
            super.add(more);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, Accept: */*",
        "200, Range: bytes=1-2",
        "200, Range: bytes=100-",
        "200, If-None-Match: *",
        "204, Accept: */*",
    })
    void isHeldByNobody(int status, String line) throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, status, status == 204 ? "" : "hello", "Cache-Control: max-age=60", "ETag: \"a\""));
        get("/a");
        await().until(() -> cache.responses() == 1);

        broken = true;
        String reply = raw("GET /a HTTP/1.1\r\nHost: " + server.address() + "\r\n" + line + "\r\n\r\n");

        assertThat(reply).isEmpty();
        assertThat(origin.asked()).hasSize(1);
        cache.close();
        assertThat(cache.memory().resident()).as("held by the reply still").isZero();
    }

    @Test
    void isValidatedNevertheless() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60, stale-while-revalidate=600");
        get("/a");
        await().until(() -> cache.responses() == 1);
        passSeconds(61);
        origin.answer("new", "Cache-Control: max-age=60");

        broken = true;
        raw("GET /a HTTP/1.1\r\nHost: " + server.address() + "\r\n\r\n");
        await().until(() -> origin.asked().size() == 2);
        broken = false;

        await().untilAsserted(() -> assertThat(get("/a").body()).isEqualTo("new"));
        await().until(() -> cache.memory().transit() == 0);
    }
}
