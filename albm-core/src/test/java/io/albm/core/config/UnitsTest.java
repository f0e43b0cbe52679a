// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({"64 MiB,67108864", "64MiB,67108864", "1 GB,1000000000", "512,512", "0.5 KiB,512"})
    void readsSizes(String text, long bytes) {
        assertThat(Units.parseSize(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"10 s,PT10S", "250ms,PT0.25S", "2 m,PT2M", "1 h,PT1H", "0,PT0S", "30 us,PT0.00003S"})
    void readsDurations(String text, Duration duration) {
        assertThat(Units.parseDuration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "10 fortnights", "ten s"})
    void refusesADurationWithoutAKnownUnit(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Units.parseDuration(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "10 MX", "1e3 furlongs"})
    void refusesASizeWithAnUnknownUnit(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Units.parseSize(text));
    }

    @ParameterizedTest
    @CsvSource({"PT0S,0 s", "PT90S,90 s", "PT2M,2 m", "PT0.25S,250 ms", "PT0.000000001S,1 ns"})
    void writesDurationsInTheLargestExactUnit(Duration duration, String text) {
        assertThat(Units.text(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1025,1025 B", "67108864,64 MiB", "1099511627776,1 TiB"})
    void writesSizesInTheLargestExactUnit(long bytes, String text) {
        assertThat(Units.text(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"999,999 B", "1536,1.50 KiB", "1524713390,1.42 GiB", "67108864,64.0 MiB", "536870912,512 MiB"})
    void roundsSizesForPeople(double bytes, String text) {
        assertThat(Units.rounded(bytes)).isEqualTo(text);
    }
}
