// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static io.albm.cache.origin.Replies.NOW;
import static io.albm.cache.origin.Replies.fields;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorabilityTest {

    private static Storability of(String method, String request, int status, String response) {
        return Storability.of(
                new CacheRequest(method, "host", "/a", fields(request), false),
                StoredHead.of(new Reply(status, "", fields(response)), NOW, NOW));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cache-Control: max-age=60                                     | STORED",
                "Expires: @60                                                  | STORED",
                "Last-Modified: @-1000                                         | STORED",
                "ETag: \"a\"                                                   | STORED",
                "Cache-Control: no-cache ;; ETag: \"a\"                        | STORED",
                "Cache-Control: max-age=60, no-cache                           | USELESS",
                "Cache-Control: max-age=60, no-cache=\"a\"                     | STORED",
                "Cache-Control: max-age=0, stale-while-revalidate=5            | STORED",
                "Cache-Control: max-age=0                                      | USELESS",
                "Cache-Control: max-age=60 ;; Age: 60                          | USELESS",
                "X: y                                                          | USELESS",
                "Cache-Control: No-StOrE, max-age=60                           | NO_STORE",
                "Cache-Control: no-store, must-understand, max-age=60          | STORED",
                "Cache-Control: private, max-age=60                            | PRIVATE",
                "Cache-Control: private=\"a\", max-age=60                      | STORED",
                "Cache-Control: max-age=60 ;; Vary: *                          | VARIES",
                "Cache-Control: max-age=60 ;; Vary: Foo, *                     | VARIES",
                "Cache-Control: max-age=60 ;; Vary: '' ;; Vary: *              | VARIES",
                "Cache-Control: max-age=60 ;; Set-Cookie: a=b                  | STORED",
                "CDN-Cache-Control: max-age=60 ;; Cache-Control: no-store      | STORED",
                "CDN-Cache-Control: no-store ;; Cache-Control: max-age=60      | NO_STORE",
                "Surrogate-Control: max-age=60 ;; Cache-Control: no-store      | STORED",
                "Surrogate-Control: no-store;other ;; Cache-Control: max-age=60 | STORED",
                "Surrogate-Control: no-store ;; Cache-Control: max-age=60      | NO_STORE",
            })
    void judgesAnOrdinaryResponse(String response, Storability verdict) {
        assertThat(of("GET", "", 200, response)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "200, STORED", "203, STORED", "204, STORED", "299, STORED", "301, STORED", "302, STORED", "307, STORED",
        "404, STORED", "499, STORED", "500, STORED", "503, STORED", "599, STORED", "206, STATUS", "304, STATUS",
    })
    void storesAnyFinalStatusOfExplicitLifetimeButParts(int status, Storability verdict) {
        assertThat(of("GET", "", status, "Cache-Control: max-age=60")).isEqualTo(verdict);
    }

    @Test
    void storesNoStatusThatItDoesNotUnderstandIfItHasTo() {
        assertThat(of("GET", "", 599, "Cache-Control: max-age=60, must-understand"))
                .isEqualTo(Storability.STATUS);
        assertThat(of("GET", "", 404, "Cache-Control: max-age=60, must-understand"))
                .isEqualTo(Storability.STORED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60                  | AUTHORIZED",
                "max-age=60, public          | STORED",
                "max-age=60, must-revalidate | STORED",
                "s-maxage=60                 | STORED",
            })
    void storesAnAuthorizedResponseOnlyIfTold(String cacheControl, Storability verdict) {
        assertThat(of("GET", "Authorization: x", 200, "Cache-Control: " + cacheControl))
                .isEqualTo(verdict);
    }

    @Test
    void heedsTheRequestsNoStore() {
        assertThat(of("GET", "Cache-Control: no-store", 200, "Cache-Control: max-age=60"))
                .isEqualTo(Storability.NO_STORE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HEAD | Cache-Control: max-age=60                           | METHOD",
                "PUT  | Cache-Control: max-age=60 ;; Content-Location: /a   | METHOD",
                "POST | Cache-Control: max-age=60                           | METHOD",
                "POST | Cache-Control: max-age=60 ;; Content-Location: /b   | METHOD",
                "POST | Last-Modified: @-1000 ;; Content-Location: /a       | METHOD",
                "POST | Cache-Control: max-age=60 ;; Content-Location: /a   | STORED",
            })
    void storesOfOtherMethodsOnlyAPostThatNamesItsTarget(String method, String response, Storability verdict) {
        assertThat(of(method, "", 200, response)).isEqualTo(verdict);
    }
}
