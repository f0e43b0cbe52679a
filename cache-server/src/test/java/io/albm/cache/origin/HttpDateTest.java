// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT      | 1994-11-06T08:49:37Z",
                "Sunday, 06-Nov-94 08:49:37 GMT     | 1994-11-06T08:49:37Z",
                "Sun Nov  6 08:49:37 1994           | 1994-11-06T08:49:37Z",
                "Thursday, 18-Aug-50 02:01:18 GMT   | 2050-08-18T02:01:18Z",
                "Thursday, 18-Aug-76 02:01:18 GMT   | 2076-08-18T02:01:18Z",
                "Thursday, 18-Aug-77 02:01:18 GMT   | 1977-08-18T02:01:18Z",
                "Thu, 18 Aug 2050 23:59:60 GMT      | 2050-08-18T23:59:59Z",
            })
    void readsTheThreeForms(String text, Instant time) {
        assertThat(HttpDate.parse(text, NOW)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "",
                "-1",
                "Thu, 18 Aug 2050 02:01:18 UTC",
                "Thu, 18 Aug 2050 02:01:18 AEST",
                "Thu, 18 Aug 50 02:01:18 GMT",
                "Thu 18 Aug 2050 02:01:18 GMT",
                "Thu, 18  Aug  2050 02:01:18 GMT",
                "Thu, 18-Aug-2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 02.01.18 GMT",
                "Thu, 18 Aug 2050 2:01:18 GMT",
                "Thu, 32 Aug 2050 02:01:18 GMT",
                "Thu, 18 Anf 2050 02:01:18 GMT",
                "Thu, 18 anF 2050 02:01:18 GMT",
            })
    void readsNothingElse(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEmpty();
    }

    @Test
    void writesThePreferredForm() {
        assertThat(HttpDate.format(Instant.parse("1994-11-06T08:49:37.9Z"))).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
