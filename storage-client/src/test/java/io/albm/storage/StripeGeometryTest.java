// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeGeometryTest {
    private static final int UNIT = 64 * 1024;
    private final StripeGeometry geometry = new StripeGeometry(3, 1, UNIT);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, UNIT - 1, UNIT, UNIT + 1, 3 * UNIT, 3 * UNIT + 1, 7L * UNIT + 5, 1L << 42})
    void holdsEveryByteOnce(long length) {
        long stripes = geometry.stripes(length);
        long full = Math.max(0, stripes - 1) * geometry.stripeBytes();
        int last = stripes == 0 ? 0 : geometry.bytesInStripe(length, stripes - 1);
        assertThat(full + last).isEqualTo(length);
        assertThat(IntStream.range(0, 3)
                        .map(unit -> geometry.unitLength(last, unit))
                        .sum())
                .isEqualTo(last);
    }

    @Test
    void doesNotPadAFileOfOneUnitToAStripe() {
        assertThat(IntStream.range(0, 4).map(unit -> geometry.unitLength(100, unit)))
                .containsExactly(100, 0, 0, 100);
    }

    @Test
    void givesParityTheLengthOfTheLongestUnit() {
        assertThat(IntStream.range(0, 4).map(unit -> geometry.unitLength(UNIT + 9, unit)))
                .containsExactly(UNIT, 9, 0, UNIT);
    }

    @Test
    void givesEveryParityUnitTheLengthOfTheLongestUnit() {
        StripeGeometry two = new StripeGeometry(3, 2, UNIT);
        assertThat(IntStream.range(0, 5).map(unit -> two.unitLength(UNIT + 9, unit)))
                .containsExactly(UNIT, 9, 0, UNIT, UNIT);
    }

    @ParameterizedTest
    @CsvSource({"0,1,65536", "33,1,65536", "4,3,65536", "4,-1,65536", "4,1,65535", "4,1,0", "4,1,33554432"})
    void refusesWhatCannotBe(int dataUnits, int parityUnits, int unitBytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StripeGeometry(dataUnits, parityUnits, unitBytes))
                .withMessageContaining("expected");
    }

    @Test
    void leavesShorterUnitsToSimulations() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StripeSettings.DEFAULT.withUnitBytes(UNIT - 4096))
                .withMessage("unit of 61440 bytes: expected 64 KiB to 16 MiB, a multiple of 4 KiB");
        assertThat(new StripeGeometry(3, 1, 4096).stripes(3 * 4096 + 1)).isEqualTo(2);
    }
}
