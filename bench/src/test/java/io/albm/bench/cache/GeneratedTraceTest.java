// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GeneratedTraceTest {

    @ParameterizedTest
    @EnumSource
    void drawsTheSameTraceForTheSameSeed(GeneratedTrace kind) {
        assertThat(kind.generate(1, 1000).requests())
                .hasSize(1000)
                .isEqualTo(kind.generate(1, 1000).requests())
                .isNotEqualTo(kind.generate(2, 1000).requests());
    }
}
