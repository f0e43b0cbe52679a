// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class MaxConnConverterTest {
    private final MaxConnConverter converter = new MaxConnConverter();

    @Test
    void readsAPair() {
        assertThat(converter.convert("36/9")).isEqualTo(new Haproxy.MaxConn(36, 9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "36", "36/", "0/9", "a/b", "36/9/1"})
    void saysWhatItExpects(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("such as 36/9");
    }
}
