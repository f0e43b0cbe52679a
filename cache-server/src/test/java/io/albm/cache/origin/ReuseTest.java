// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static io.albm.cache.origin.Replies.NOW;
import static io.albm.cache.origin.Replies.ok;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReuseTest {

    private static Asked asking(String cacheControl) {
        return Asked.of(FieldList.of("Cache-Control", cacheControl));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60                                          | 59 | SERVED",
                "max-age=60                                          | 60 | VALIDATED_FIRST",
                "max-age=60, no-cache                                | 0  | VALIDATED_FIRST",
                "max-age=60, no-cache=\"a\"                          | 0  | SERVED",
                "max-age=60, must-revalidate                         | 59 | SERVED",
                "max-age=60, stale-while-revalidate=10               | 69 | SERVED_WHILE_VALIDATED",
                "max-age=60, stale-while-revalidate=10               | 70 | VALIDATED_FIRST",
                "s-maxage=60, stale-while-revalidate=10              | 69 | SERVED_WHILE_VALIDATED",
                "max-age=60, stale-while-revalidate=10, must-revalidate | 61 | VALIDATED_FIRST",
            })
    void heedsWhatTheOriginSaid(String cacheControl, long seconds, Reuse reuse) {
        assertThat(Reuse.of(ok("Cache-Control", cacheControl), Asked.of(FieldList.EMPTY), NOW.plusSeconds(seconds)))
                .isEqualTo(reuse);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no-cache          | max-age=60                  | 0  | VALIDATED_FIRST",
                "max-age=5         | max-age=60                  | 5  | SERVED",
                "max-age=5         | max-age=60                  | 6  | VALIDATED_FIRST",
                "min-fresh=30      | max-age=60                  | 30 | SERVED",
                "min-fresh=30      | max-age=60                  | 31 | VALIDATED_FIRST",
                "max-stale=10      | max-age=60                  | 69 | SERVED",
                "max-stale=10      | max-age=60                  | 70 | VALIDATED_FIRST",
                "max-stale         | max-age=60                  | 99 | SERVED",
                "max-stale=x       | max-age=60                  | 61 | VALIDATED_FIRST",
                "max-stale         | max-age=60, must-revalidate | 61 | VALIDATED_FIRST",
                "max-stale         | s-maxage=60                 | 61 | VALIDATED_FIRST",
                "unknown           | max-age=60                  | 59 | SERVED",
            })
    void heedsWhatTheClientAsked(String asked, String cacheControl, long seconds, Reuse reuse) {
        assertThat(Reuse.of(ok("Cache-Control", cacheControl), asking(asked), NOW.plusSeconds(seconds)))
                .isEqualTo(reuse);
    }

    @Test
    void takesPragmaForNoCacheWhereThereIsNoCacheControl() {
        StoredHead stored = ok("Cache-Control", "max-age=60");
        FieldList pragma = FieldList.of("Pragma", "no-cache");
        assertThat(Reuse.of(stored, Asked.of(pragma), NOW)).isEqualTo(Reuse.VALIDATED_FIRST);
        assertThat(Reuse.of(stored, Asked.of(pragma.plus("Cache-Control", "foo")), NOW))
                .isEqualTo(Reuse.SERVED);
        assertThat(Reuse.of(stored, Asked.of(FieldList.of("Pragma", "foo")), NOW))
                .isEqualTo(Reuse.SERVED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60, stale-if-error=10                   | 0  | 69 | true",
                "max-age=60, stale-if-error=10                   | 0  | 70 | false",
                "max-age=60, stale-if-error=10                   | 99 | 70 | false",
                "s-maxage=60, stale-if-error=10                  | 0  | 69 | true",
                "max-age=60, stale-if-error=10, must-revalidate  | 0  | 61 | false",
                "max-age=60, stale-if-error=10, proxy-revalidate | 0  | 61 | false",
                "max-age=60, stale-if-error=10, no-cache         | 0  | 61 | false",
                "max-age=60                                      | 0  | 61 | false",
                "max-age=60                                      | 10 | 69 | true",
                "s-maxage=60                                     | 10 | 61 | false",
            })
    void standsInForAFailingOriginWherePermitted(String cacheControl, long permitted, long seconds, boolean usable) {
        assertThat(Reuse.isUsableOnError(
                        ok("Cache-Control", cacheControl),
                        Asked.of(FieldList.EMPTY),
                        Duration.ofSeconds(permitted),
                        NOW.plusSeconds(seconds)))
                .isEqualTo(usable);
    }

    @Test
    void standsInForAFailingOriginAtTheClientsWish() {
        StoredHead stored = ok("Cache-Control", "max-age=60");
        assertThat(Reuse.isUsableOnError(stored, asking("stale-if-error=10"), Duration.ZERO, NOW.plusSeconds(65)))
                .isTrue();
    }
}
