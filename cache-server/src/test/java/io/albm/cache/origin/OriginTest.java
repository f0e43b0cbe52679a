// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {

    private static final NodeAddress ADDRESS = new NodeAddress("127.0.0.1", 1);

    private final Origin below = new Origin(ADDRESS, "/site", null);

    @Test
    void putsItsPrefixBeforePaths() {
        assertThat(below.targetOf("/a?b")).isEqualTo("/site/a?b");
        assertThat(below.targetOf("*")).isEqualTo("*");
        assertThat(Origin.at(ADDRESS).targetOf("/a")).isEqualTo("/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/../x", "/a/..", "/a/%2e%2E/x", "/a%2f..%2fx", "/a/..%5cx", "/%252e%252e/x", "/./x", "/..\\x"})
    void coversNoPathThatCouldLeaveIt(String target) {
        assertThat(below.covers(target)).isFalse();
        assertThat(Origin.at(ADDRESS).covers(target)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a..b/...", "/a?x=/../y", "/100%", "/%zz/x", "/a+b", "*"})
    void coversAllOthers(String target) {
        assertThat(below.covers(target)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/site/a, /a",
        "/site, /",
        "/site?q, /?q",
        "http://Host:80/site/a, http://Host:80/a",
        "//host:80/site/a, //host:80/a",
        "/sitemap, /sitemap",
        "/other, /other",
        "a/site/b, a/site/b",
        "http://other/site/a, http://other/site/a",
        "http://host:80, http://host:80",
        "/site//evil.com/dir/, /evil.com/dir/",
        "/site///evil.com, /evil.com",
        "/site/\\evil.com, /evil.com",
        "/site/\t/evil.com, /evil.com",
        "/site/in?next=http://other/, /in?next=http://other/",
        "/x://host:80/site/a, /x://host:80/site/a",
        "1://host:80/site/a, 1://host:80/site/a",
    })
    void namesItsOwnPlacesAsClientsKnowThem(String told, String known) {
        FieldList response = FieldList.of("Location", told, "X-Path", "/site/a");
        assertThat(below.outward(response, "host:80")).isEqualTo(FieldList.of("Location", known, "X-Path", "/site/a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"site", "/", "/site/"})
    void refusesAPrefixThatIsNoPath(String prefix) {
        assertThatThrownBy(() -> new Origin(ADDRESS, prefix, null)).hasMessageContaining("expected none, or a path");
    }
}
