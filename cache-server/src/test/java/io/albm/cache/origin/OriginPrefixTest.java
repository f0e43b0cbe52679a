// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An origin of which the cache serves what is below a path. */
class OriginPrefixTest extends OriginHarness {

    @BeforeEach
    void goBelow() throws Exception {
        restart(OriginSettings.of(new Origin(origin.address(), "/site", null)));
    }

    @Test
    void asksForWhatIsBelowThePath() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60");
        get("/a?b");
        get("/a?b");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().target()).isEqualTo("/site/a?b");
    }

    @Test
    void refusesPathsThatLeadOutOfIt() throws Exception {
        assertThat(raw("GET /../secret HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("expected no '.' or '..'");
        assertThat(origin.asked()).isEmpty();
    }

    @Test
    void forgetsAndNamesWhatAResponseSaysAsClientsKnowIt() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to,
                request.method().equals("POST") ? 201 : 200,
                "x",
                "Cache-Control: max-age=60",
                request.method().equals("POST") ? "Location: /site/b" : "X: y"));
        get("/b");
        assertThat(value(post("/a", "news"), "location")).isEqualTo("/b");
        assertThat(cache.responses()).isZero();
    }
}
