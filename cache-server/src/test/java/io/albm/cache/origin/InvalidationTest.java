// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What makes stored responses void. */
class InvalidationTest extends OriginHarness {

    @Test
    void forgetsWhatAnUnsafeRequestChanged() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to,
                request.method().equals("POST") ? 201 : 200,
                request.method(),
                "Cache-Control: max-age=60",
                request.method().equals("POST") ? "Location: /b" : "X: y"));
        get("/a");
        get("/b");
        get("/c");
        assertThat(post("/a", "news").statusCode()).isEqualTo(201);
        assertThat(origin.last().body()).isEqualTo("news");
        assertThat(cache.responses()).isEqualTo(1);
        get("/c");
        assertThat(origin.asked()).hasSize(4);
    }

    @Test
    void keepsWhatAFailedUnsafeRequestDidNotChange() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, request.method().equals("POST") ? 500 : 200, "x", "Cache-Control: max-age=60"));
        get("/a");
        post("/a", "news");
        assertThat(cache.responses()).isEqualTo(1);
    }
}
