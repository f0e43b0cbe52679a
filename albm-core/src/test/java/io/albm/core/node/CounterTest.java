// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.json.Json;
import io.albm.core.node.Counter.Direction;
import io.albm.core.node.Counter.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CounterTest {
    private static final CounterSample SIX = new CounterSample(1L << 40, 1.5, 2, 0.25, 1e6, 42);

    @ParameterizedTest
    @EnumSource
    void isFoundByItsName(Counter counter) {
        assertThat(Counter.parse(counter.label())).isEqualTo(counter);
    }

    @Test
    void aMisspeltNameIsAnsweredWithTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Counter.parse("available-memroy"))
                .withMessageContaining("unknown counter 'available-memroy': expected one of available-memory, ")
                .withMessageEndingWith("did you mean 'available-memory'?");
    }

    @Test
    void oneNameGivesMetricAndField() {
        assertThat(Counter.AVAILABLE_MEMORY.metric()).isEqualTo("available_memory_bytes");
        assertThat(Counter.AVAILABLE_MEMORY.field()).isEqualTo("availableMemoryBytes");
        assertThat(Counter.RUN_QUEUE_LENGTH.metric()).isEqualTo("run_queue_length");
        assertThat(Counter.NETWORK.field()).isEqualTo("networkBytesPerSecond");
    }

    @Test
    void thoseOfThePaperComeFirst() {
        assertThat(Counter.OF_PAPER)
                .containsExactly(
                        Counter.AVAILABLE_MEMORY,
                        Counter.PAGE_READS,
                        Counter.RUN_QUEUE_LENGTH,
                        Counter.CPU_BUSY,
                        Counter.NETWORK,
                        Counter.ESTABLISHED_CONNECTIONS);
    }

    @Test
    void onlyWhatRunsOutIsBadWhenLow() {
        assertThat(Counter.values())
                .filteredOn(counter -> counter.direction() == Direction.LOW_IS_BAD)
                .containsExactly(Counter.AVAILABLE_MEMORY, Counter.FREE_SWAP);
    }

    @Test
    void theWiderOfAbsoluteAndRelativeToleranceHolds() {
        Tolerance tolerance = new Tolerance(4, 0.1);
        assertThat(tolerance.isLeft(10, 14)).isFalse();
        assertThat(tolerance.isLeft(10, 14.1)).isTrue();
        assertThat(tolerance.isLeft(100, 109)).isFalse();
        assertThat(tolerance.isLeft(100, 89)).isTrue();
    }

    @Test
    void aCounterThatAppearsOrVanishesLeavesItsTolerance() {
        Tolerance tolerance = new Tolerance(4, 0.1);
        assertThat(tolerance.isLeft(Double.NaN, 0)).isTrue();
        assertThat(tolerance.isLeft(0, Double.NaN)).isTrue();
        assertThat(tolerance.isLeft(Double.NaN, Double.NaN)).isFalse();
    }

    @Test
    void toleranceCannotBeNegative() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Tolerance(-1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Tolerance(0, Double.NaN));
    }

    @Test
    void absentIsNotZero() {
        assertThat(SIX.has(Counter.MEMORY_PRESSURE)).isFalse();
        assertThat(SIX.value(Counter.MEMORY_PRESSURE)).isNaN();
        assertThat(SIX.with(Counter.MEMORY_PRESSURE, 0).has(Counter.MEMORY_PRESSURE))
                .isTrue();
    }

    @Test
    void jsonHasWhatIsThere() {
        assertThat(Json.text(SIX.with(Counter.IO_PRESSURE, 0.125))).isEqualTo("""
                {"availableMemoryBytes":1099511627776,"pageReadsPerSecond":1.5,"runQueueLength":2,\
                "cpuBusyFraction":0.25,"networkBytesPerSecond":1000000,"establishedConnections":42,\
                "ioPressureFraction":0.125}""");
    }

    @Test
    void jsonOfANewerVersionIsRead() {
        CounterSample sample = Json.read("{\"runQueueLength\":3,\"moonPhaseFraction\":0.5}", CounterSample.class);
        assertThat(sample.value(Counter.RUN_QUEUE_LENGTH)).isEqualTo(3);
        assertThat(sample.has(Counter.AVAILABLE_MEMORY)).isFalse();
    }

    @Test
    void refusesValuesThatNoHostCanHave() {
        assertThatIllegalArgumentException().isThrownBy(() -> SIX.with(Counter.DISK_BUSY, 1.01));
        assertThatIllegalArgumentException().isThrownBy(() -> SIX.with(Counter.PAGE_READS, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SIX.with(Counter.NETWORK, Double.POSITIVE_INFINITY))
                .withMessageContaining("networkBytesPerSecond");
    }
}
