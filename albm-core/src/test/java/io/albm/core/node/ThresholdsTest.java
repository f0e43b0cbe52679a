// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ThresholdsTest {
    private static final double MIB = 1 << 20;
    private static final Threshold CPU = new Threshold(Counter.CPU_BUSY, 0.9, 0.8);

    @Test
    void isShortOnTheBadSideOfItsFirstLevel() {
        Threshold memory = Thresholds.OF_PAPER.levels().getFirst();
        assertThat(memory.isShort(memory(99))).isTrue();
        assertThat(memory.isShort(memory(100))).isFalse();
        assertThat(CPU.isShort(cpu(0.91))).isTrue();
        assertThat(CPU.isShort(cpu(0.9))).isFalse();
    }

    @Test
    void hasRecoveredOnTheGoodSideOfItsSecondLevel() {
        Threshold memory = Thresholds.OF_PAPER.levels().getFirst();
        assertThat(memory.isRecovered(memory(130))).isFalse();
        assertThat(memory.isRecovered(memory(131))).isTrue();
        assertThat(CPU.isRecovered(cpu(0.8))).isFalse();
        assertThat(CPU.isRecovered(cpu(0.79))).isTrue();
    }

    @Test
    void hasRecoveredWhereNothingIsPastItsSecondLevel() {
        Threshold pageReads = new Threshold(Counter.PAGE_READS, 100, 0);
        assertThat(pageReads.isRecovered(memory(400).with(Counter.PAGE_READS, 1)))
                .isFalse();
        assertThat(pageReads.isRecovered(memory(400).with(Counter.PAGE_READS, 0)))
                .isTrue();
    }

    @Test
    void aCounterThatIsAbsentIsNeitherShortNorInTheWay() {
        Threshold pressure = new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1);
        assertThat(pressure.isShort(memory(1))).isFalse();
        assertThat(pressure.isRecovered(memory(1))).isTrue();
        assertThat(pressure.margin(memory(1))).isInfinite();
    }

    @Test
    void theTightestIsTheOneNearestToItsLevelOrFurthestBeyond() {
        Thresholds both = Thresholds.OF_PAPER.with(CPU);
        assertThat(both.tightest(memory(400).with(Counter.CPU_BUSY, 0.85)).orElseThrow())
                .isEqualTo(CPU);
        assertThat(both.tightest(memory(50).with(Counter.CPU_BUSY, 0.91))
                        .orElseThrow()
                        .counter())
                .isEqualTo(Counter.AVAILABLE_MEMORY);
        assertThat(both.margin(memory(50))).isCloseTo(-50.0 / 130, within(1e-9));
    }

    @Test
    void shortOfAnyRecoveredOfAll() {
        Thresholds both = Thresholds.OF_PAPER.with(CPU);
        assertThat(both.isShort(memory(400).with(Counter.CPU_BUSY, 0.95))).isTrue();
        assertThat(both.isRecovered(memory(400).with(Counter.CPU_BUSY, 0.85))).isFalse();
        assertThat(both.isRecovered(memory(400))).isTrue();
    }

    @Test
    void withoutThresholdsNobodyIsShort() {
        assertThat(Thresholds.of().isShort(memory(0))).isFalse();
        assertThat(Thresholds.of().tightest(memory(0))).isEmpty();
        assertThat(Thresholds.of().margin(memory(0))).isInfinite();
    }

    @Test
    void refusesLevelsInTheWrongOrder() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Threshold(Counter.AVAILABLE_MEMORY, 130, 100))
                .withMessageContaining("relieve at most recover");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Threshold(Counter.CPU_BUSY, 0.8, 0.9))
                .withMessageContaining("relieve at least recover");
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(Counter.CPU_BUSY, 1.5, 0.9));
    }

    @Test
    void refusesTwoThresholdsOfOneCounter() {
        assertThatIllegalArgumentException().isThrownBy(() -> Thresholds.of(CPU, CPU));
    }

    private static CounterSample memory(double mebibytes) {
        return new CounterSample((long) (mebibytes * MIB), 0, 0, 0, 0, 0);
    }

    private static CounterSample cpu(double busy) {
        return memory(1000).with(Counter.CPU_BUSY, busy);
    }
}
