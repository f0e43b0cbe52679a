// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CounterUnitsTest {
    @ParameterizedTest
    @CsvSource({
        "available-memory, 100MiB, 104857600",
        "network, 1KiB/s, 1024",
        "network, 1KiB, 1024",
        "cpu-busy, 0.8, 0.8",
        "cpu-busy, 80 %, 0.8",
        "page-reads, 500/s, 500",
        "page-reads, 500, 500",
        "run-queue-length, 2.5, 2.5"
    })
    void readsAValueInItsUnit(String counter, String text, double value) {
        assertThat(CounterUnits.parse(Counter.parse(counter), text)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "available-memory, much",
        "available-memory, ''",
        "cpu-busy, 120%",
        "cpu-busy, -1",
        "page-reads, NaN",
        "run-queue-length, 5 MiB"
    })
    void refusesWhatNoHostCanHave(String counter, String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CounterUnits.parse(Counter.parse(counter), text))
                .withMessageStartingWith(counter + " = '" + text + "': expected a");
    }

    @Test
    void showsValuesInTheirUnits() {
        assertThat(CounterUnits.rounded(Counter.AVAILABLE_MEMORY, 96 << 20)).isEqualTo("96.0 MiB");
        assertThat(CounterUnits.rounded(Counter.NETWORK, 3_500_000)).isEqualTo("3.34 MiB/s");
        assertThat(CounterUnits.rounded(Counter.CPU_BUSY, 0.754)).isEqualTo("75 %");
        assertThat(CounterUnits.rounded(Counter.PAGE_READS, 12.54)).isEqualTo("12.5/s");
        assertThat(CounterUnits.rounded(Counter.ESTABLISHED_CONNECTIONS, 42)).isEqualTo("42");
        assertThat(CounterUnits.rounded(Counter.MEMORY_PRESSURE, Double.NaN)).isEqualTo("-");
    }
}
