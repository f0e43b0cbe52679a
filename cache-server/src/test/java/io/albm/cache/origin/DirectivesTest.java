// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectivesTest {

    private static final long ABSENT = -7;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=3600                          | 3600",
                "MaX-aGe=3600                          | 3600",
                "foobar, max-age=3600                  | 3600",
                "max-age=003600                        | 3600",
                "max-age=\"3600\"                      | 3600",
                "max-age=2147483649                    | 2147483648",
                "max-age=99999999999999999999          | 2147483648",
                "max-age=1800, max-age=1               | 1800",
                "max-age=1, extension=\"max-age=3600\" | 1",
                "extension=\"max-age=3600\", max-age=1 | 1",
                "extension=\"a\\\", max-age=9\"        | -7",
                "max-age='3600'                        | 0",
                "max-age=-3600                         | 0",
                "max-age=3600.0                        | 0",
                "max-age=3600a                         | 0",
                "max-age =3600                         | 0",
                "max-age= 3600                         | 0",
                "max-age=                              | 0",
                "max-age                               | 0",
                "private                               | -7",
                "', ,'                                 | -7",
            })
    void readsSecondsAndTakesWhatIsNoNumberForNone(String line, long seconds) {
        assertThat(Directives.of(List.of(line)).seconds("max-age", ABSENT)).isEqualTo(seconds);
    }

    @Test
    void readsLinesAsOneList() {
        Directives directives = Directives.of(List.of("max-age=5, no-store", "max-age=9, public"));
        assertThat(directives.seconds("max-age", ABSENT)).isEqualTo(5);
        assertThat(directives.has("no-store")).isTrue();
        assertThat(directives.has("public")).isTrue();
        assertThat(directives.has("private")).isFalse();
    }

    @Test
    void tellsQualifiedFromUnqualified() {
        Directives directives = Directives.of(List.of("no-cache=\"Set-Cookie, a\", private"));
        assertThat(directives.isUnqualified("private")).isTrue();
        assertThat(directives.isUnqualified("no-cache")).isFalse();
        assertThat(directives.fieldNames("no-cache")).containsExactly("a", "set-cookie");
        assertThat(directives.fieldNames("private")).isEmpty();
        assertThat(directives.fieldNames("public")).isEmpty();
    }
}
