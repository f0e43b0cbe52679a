// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LoadPatternTest {
    @Test
    void anUnevenLoadHasItsMeanAndNeverMoreThanThePort() {
        LoadPattern pattern = LoadPattern.uneven(0.4, 7);
        double[] shares = LongStream.range(0, 10_000)
                .mapToDouble(step -> pattern.shareAt(step * LoadPattern.STEP_NANOS))
                .toArray();
        assertThat(Arrays.stream(shares).boxed()).allMatch(share -> share >= 0 && share <= 1);
        assertThat(Arrays.stream(shares).average().orElseThrow()).isCloseTo(0.4, within(0.02));
        assertThat(Arrays.stream(shares).distinct().count()).isGreaterThan(9_000);
    }

    @Test
    void isTheSameForTheSameSeedAndWithinAStep() {
        LoadPattern pattern = LoadPattern.uneven(0.5, 3);
        assertThat(pattern.shareAt(0)).isEqualTo(pattern.shareAt(LoadPattern.STEP_NANOS - 1));
        assertThat(pattern.shareAt(5)).isEqualTo(LoadPattern.uneven(0.5, 3).shareAt(5));
        assertThat(LoadPattern.uneven(0.95, 3).shareAt(0)).isLessThanOrEqualTo(1);
    }
}
