// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static io.albm.cache.origin.Replies.NOW;
import static io.albm.cache.origin.Replies.fields;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FreshnessTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cache-Control: max-age=60                                       | EXPLICIT  | 60",
                "Cache-Control: max-age=60, s-maxage=5                           | EXPLICIT  | 5",
                "Cache-Control: max-age=0, s-maxage=5 ;; Expires: @-10           | EXPLICIT  | 5",
                "Cache-Control: max-age=60 ;; Expires: @-10                      | EXPLICIT  | 60",
                "Cache-Control: max-age=60 ;; Expires: 0                         | EXPLICIT  | 60",
                "Cache-Control: max-age=x ;; Expires: @60                        | EXPLICIT  | 0",
                "Cache-Control: s-maxage=x, max-age=60                           | EXPLICIT  | 0",
                "Expires: @60                                                    | EXPLICIT  | 60",
                "Expires: @60 ;; Date: @20                                       | EXPLICIT  | 40",
                "Expires: @60 ;; Date: foo                                       | EXPLICIT  | 60",
                "Expires: @300 ;; Date: @400                                     | EXPLICIT  | 0",
                "Expires: 0                                                      | EXPLICIT  | 0",
                "Expires: @60 ;; Expires: @90                                    | EXPLICIT  | 60",
                "CDN-Cache-Control: max-age=9 ;; Cache-Control: max-age=60       | EXPLICIT  | 9",
                "CDN-Cache-Control: public ;; Expires: @60                       | NONE      | 0",
                "CDN-Cache-Control: '' ;; Cache-Control: max-age=60              | NONE      | 0",
                "Surrogate-Control: max-age=9 ;; Cache-Control: max-age=60       | EXPLICIT  | 9",
                "Surrogate-Control: max-age=9+5;albm ;; Cache-Control: max-age=60 | EXPLICIT | 9",
                "Surrogate-Control: max-age=9;other ;; Cache-Control: max-age=60 | EXPLICIT  | 60",
                "Surrogate-Control: max-age=9 ;; CDN-Cache-Control: max-age=7    | EXPLICIT  | 7",
                "Last-Modified: @-1000                                           | HEURISTIC | 100",
                "Last-Modified: @-1000 ;; Date: @-500                            | HEURISTIC | 50",
                "Last-Modified: @-9999999                                        | HEURISTIC | 86400",
                "Last-Modified: @10                                              | HEURISTIC | 0",
                "Last-Modified: long ago                                         | NONE      | 0",
                "ETag: \"a\"                                                     | NONE      | 0",
            })
    void derivesTheLifetime(String response, Freshness.Basis basis, long seconds) {
        Freshness freshness = Freshness.of(new Reply(200, "OK", fields(response)), NOW, NOW);
        assertThat(freshness.basis()).isEqualTo(basis);
        assertThat(freshness.lifetime()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({
        "200, true", "203, true", "204, true", "404, true", "405, true", "410, true", "414, true", "501, true",
        "201, false", "202, false", "206, false", "302, false", "403, false", "500, false", "503, false", "599, false",
    })
    void guessesALifetimeForStatusesThatAllowIt(int status, boolean guesses) {
        Freshness freshness = Freshness.of(new Reply(status, "", fields("Last-Modified: @-1000")), NOW, NOW);
        assertThat(freshness.isFresh(NOW)).isEqualTo(guesses);
    }

    @Test
    void guessesALifetimeForAnyPublicResponse() {
        Reply reply = new Reply(599, "", fields("Last-Modified: @-1000 ;; Cache-Control: public"));
        assertThat(Freshness.of(reply, NOW, NOW).isFresh(NOW)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Date: @0             | 0  | 0",
                "Date: @-30           | 0  | 30",
                "Date: @30            | 0  | 0",
                "Date: foo            | 0  | 0",
                "Age: 7               | 0  | 7",
                "Age: 7               | 5  | 12",
                "Age: 7 ;; Date: @-30 | 5  | 30",
                "Date: @-3            | 5  | 5",
                "Date: @-9            | 5  | 9",
                "Cache-Control: x     | 5  | 5",
            })
    void derivesTheAge(String response, long delaySeconds, long seconds) {
        Freshness freshness = Freshness.of(new Reply(200, "OK", fields(response)), NOW.minusSeconds(delaySeconds), NOW);
        assertThat(freshness.age(NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-7200", "7200.0", "7200,0", "0, 0", "3600, 3600", "7200;foo=bar", ""})
    void takesAResponseOfUnreadableAgeForStale(String age) {
        Reply reply = new Reply(200, "OK", FieldList.of("Cache-Control", "max-age=10000", "Age", age));
        assertThat(Freshness.of(reply, NOW, NOW).isFresh(NOW)).isFalse();
    }

    @Test
    void takesAResponseWithTwoAgesForStale() {
        Reply reply = new Reply(200, "OK", FieldList.of("Cache-Control", "max-age=60", "Age", "0", "Age", "0"));
        assertThat(Freshness.of(reply, NOW, NOW).isFresh(NOW)).isFalse();
    }

    @Test
    void growsOldWhereItIsKept() {
        Freshness freshness =
                Freshness.of(new Reply(200, "OK", fields("Cache-Control: max-age=60 ;; Age: 50")), NOW, NOW);
        assertThat(freshness.isFresh(NOW.plusMillis(9_999))).isTrue();
        assertThat(freshness.isFresh(NOW.plusSeconds(10))).isFalse();
        assertThat(freshness.isUsable(NOW.plusSeconds(10), 5)).isTrue();
        assertThat(freshness.isUsable(NOW.plusSeconds(15), 5)).isFalse();
        assertThat(freshness.age(NOW.minusSeconds(1))).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void ignoresThePartOfASecondThatADateCannotTell() {
        Reply reply = new Reply(200, "OK", fields("Date: @0"));
        Instant later = NOW.plusMillis(900);
        assertThat(Freshness.of(reply, later, later).age(later)).isEqualTo(Duration.ZERO);
    }
}
