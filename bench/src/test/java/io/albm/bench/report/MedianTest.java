// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void isTheOneInTheMiddle() {
        assertThat(Median.of(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Median.of(List.of(4.0, 1.0, 2.0, 8.0))).isEqualTo(3);
    }
}
