// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cli.CliException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ChoiceTest {
    private static final List<String> ALL = List.of("one", "two");

    @Test
    void takesANameInAnyCase() {
        assertThat(Choice.of("--only", " Two ", ALL, Function.identity())).isEqualTo("two");
    }

    @Test
    void saysWhatThereIs() {
        assertThatThrownBy(() -> Choice.of("--only", "three", ALL, Function.identity()))
                .isInstanceOf(CliException.class)
                .hasMessage("--only three: expected one, two");
    }
}
