// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Responses that vary with the request. */
class VariantsTest extends OriginHarness {

    @Test
    void keepsOneResponsePerVariant() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, String.valueOf(request.header("foo")), "Cache-Control: max-age=60", "Vary: Foo"));
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("1");
        assertThat(get("/a", "Foo", "2").body()).isEqualTo("2");
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("1");
        assertThat(get("/a").body()).isEqualTo("null");
        assertThat(origin.asked()).hasSize(3);
    }

    @Test
    void followsAVaryThatChanges() throws Exception {
        origin.answer("plain", "Cache-Control: max-age=1");
        get("/a", "Foo", "1");
        passSeconds(2);
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "foo" + request.header("foo"), "Cache-Control: max-age=60", "Vary: Foo"));
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("foo1");
        assertThat(get("/a", "Foo", "2").body()).isEqualTo("foo2");
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "bar" + request.header("bar"), "Cache-Control: max-age=60", "Vary: Bar"));
        assertThat(get("/a", "Foo", "3", "Bar", "1").body()).isEqualTo("bar1");
        assertThat(get("/a", "Foo", "9", "Bar", "1").body()).isEqualTo("bar1");
        assertThat(get("/a", "Foo", "1", "Bar", "2").body()).isEqualTo("foo1");
        assertThat(origin.asked()).hasSize(4);
    }

    @Test
    void boundsTheVariantsOfAUrl() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 200, "x", "Cache-Control: max-age=60", "Vary: Foo"));
        for (int i = 0; i < OriginSettings.MOST_VARIANTS + 5; i++) {
            get("/a", "Foo", Integer.toString(i));
        }
        assertThat(cache.responses()).isEqualTo(OriginSettings.MOST_VARIANTS);
    }
}
