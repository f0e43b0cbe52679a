// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheRequestTest {

    private static CacheRequest get(String... fields) {
        return new CacheRequest("GET", "host:80", "/a/b?c=/d", FieldList.of(fields), false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/x                  | host:80/x",
                "x                   | host:80/a/x",
                "x#part              | host:80/a/x",
                "http://host:80/x    | host:80/x",
                "http://HOST:80/x    | host:80/x",
                "http://host:80      | host:80/",
                "//host:80/x         | host:80/x",
                "http://other:80/x   | ''",
                "//other/x           | ''",
                "x?u=http://other/   | host:80/a/x?u=http://other/",
            })
    void resolvesReferencesOnItsOwnHostOnly(String reference, String uri) {
        assertThat(get().resolved(reference)).isEqualTo(uri);
    }

    @Test
    void takesAnEmptyPortForNone() {
        CacheRequest announced = get().asGetOf("Other:", "/a");
        assertThat(announced.resource()).isEqualTo("other/a");
        assertThat(announced.resolved("http://other:/b")).isEqualTo("other/b");
    }

    @Test
    void sharesOnlyWhatMeansTheSameForAll() {
        assertThat(get("Accept", "x", "If-None-Match", "\"a\"").mayShare()).isTrue();
        assertThat(get("Range", "bytes=0-1").mayShare()).isFalse();
        assertThat(get("Authorization", "x").mayShare()).isFalse();
        assertThat(get("If-Match", "\"a\"").mayShare()).isFalse();
        assertThat(get("Cache-Control", "no-store").mayShare()).isFalse();
    }

    @Test
    void asksTheOriginForAWholeWithoutTheClientsConditions() {
        FieldList fields = OutgoingRequest.whole(get(
                "If-None-Match",
                "\"a\"",
                "Range",
                "bytes=0-1",
                "Accept",
                "x",
                "Via",
                "1.1 front",
                "Connection",
                "y",
                "Y",
                "z"));
        assertThat(fields)
                .isEqualTo(FieldList.of(
                        "Accept", "x", "Via", "1.1 front, 1.1 albm", "Surrogate-Capability", "albm=\"Surrogate/1.0\""));
    }
}
