// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.source.Coding;
import io.albm.core.http.RequestHead;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedCodingsTest {

    private static String codings(String lines) {
        var head = new RequestHead(16 << 10);
        head.feed(Unpooled.copiedBuffer("GET / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n", StandardCharsets.US_ASCII));
        return AcceptedCodings.of(head).stream().map(Coding::token).collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
                    gzip                                 | gzip identity
                    gzip, deflate, br, zstd              | br zstd gzip identity
                    GZIP;Q=1.0                           | gzip identity
                    x-gzip                               | gzip identity
                    br;q=0.5, gzip;q=0.8                 | gzip br identity
                    gzip;q=0                             | identity
                    gzip;q=0.001, identity;q=0.5         | identity gzip
                    *                                    | br zstd gzip identity
                    *;q=0.3, br;q=0                      | zstd gzip identity
                    gzip, identity;q=0                   | gzip
                    gzip, *;q=0                          | gzip
                    deflate                              | identity
                    gzip;q=nonsense                      | gzip identity
                    ,;,,=;q                              | identity
                    """)
    void readsWeightsAndPrefersTheSmaller(String field, String expected) {
        assertThat(codings("Accept-Encoding: " + field + "\r\n")).isEqualTo(expected);
    }

    @Test
    void takesTheDocumentAsItIsIfNothingOrNothingElseIsSaid() {
        assertThat(codings("")).isEqualTo("identity");
        assertThat(codings("Accept-Encoding:\r\n")).isEqualTo("identity");
        assertThat(codings("Accept-Encoding: identity;q=0\r\n")).isEmpty();
        assertThat(codings("Accept-Encoding: gzip\r\nAccept-Encoding: br;q=0.1\r\n"))
                .isEqualTo("gzip br identity");
    }
}
