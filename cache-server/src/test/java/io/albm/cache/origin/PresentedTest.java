// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static io.albm.cache.origin.Replies.NOW;
import static io.albm.cache.origin.Replies.fields;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresentedTest {

    private static String presented(int status, String request, String response) {
        StoredHead stored = StoredHead.of(new Reply(status, "", fields(response)), NOW, NOW);
        CacheRequest asked = new CacheRequest("GET", "host", "/a", fields(request), false);
        return Presented.of(asked, stored, 10, NOW).getClass().getSimpleName();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                          | ETag: \"a\"            | Whole",
                "If-None-Match: \"a\"                        | ETag: \"a\"            | NotModified",
                "If-None-Match: W/\"a\"                      | ETag: \"a\"            | NotModified",
                "If-None-Match: \"b\", \"a\"                 | ETag: W/\"a\"          | NotModified",
                "If-None-Match: *                            | X: y                   | NotModified",
                "If-None-Match: \"b\"                        | ETag: \"a\"            | Whole",
                "If-None-Match: \"b\" ;; If-Modified-Since: @0 | ETag: \"a\" ;; Last-Modified: @-9 | Whole",
                "If-Modified-Since: @-9                      | Last-Modified: @-9     | NotModified",
                "If-Modified-Since: @-5                      | Last-Modified: @-9     | NotModified",
                "If-Modified-Since: @-10                     | Last-Modified: @-9     | Whole",
                "If-Modified-Since: yesterday                | Last-Modified: @-9     | Whole",
                "If-Modified-Since: @0                       | Date: @-9              | NotModified",
                "Range: bytes=2-3                            | X: y                   | Part",
                "Range: bytes=-3                             | X: y                   | Part",
                "Range: bytes=10-                            | X: y                   | Unsatisfiable",
                "Range: bytes=0-1,4-5                        | X: y                   | Whole",
                "Range: lines=0-1                            | X: y                   | Whole",
                "Range: bytes=2-3 ;; If-Range: \"a\"         | ETag: \"a\"            | Part",
                "Range: bytes=2-3 ;; If-Range: \"b\"         | ETag: \"a\"            | Whole",
                "Range: bytes=2-3 ;; If-Range: W/\"a\"       | ETag: W/\"a\"          | Whole",
                "Range: bytes=2-3 ;; If-Range: @-9           | Last-Modified: @-9     | Part",
                "Range: bytes=2-3 ;; If-Range: @0            | Last-Modified: @0      | Whole",
            })
    void judgesConditionsAndRanges(String request, String response, String kind) {
        assertThat(presented(200, request, response)).isEqualTo(kind);
    }

    @Test
    void judgesNothingOfOtherStatuses() {
        assertThat(presented(404, "If-None-Match: \"a\"", "ETag: \"a\"")).isEqualTo("Whole");
        assertThat(presented(404, "Range: bytes=2-3", "ETag: \"a\"")).isEqualTo("Whole");
    }
}
