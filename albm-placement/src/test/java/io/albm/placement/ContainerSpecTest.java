// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.config.ConfigException;
import io.albm.placement.policy.Container;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContainerSpecTest {
    private static final long MIB = 1 << 20;

    @Test
    void withoutMeasurementsItUsesWhatItIsPromised() {
        assertThat(ContainerSpec.parse("web=512MiB")).containsExactly(new Container("web", 512 * MIB, 512 * MIB, 0));
    }

    @Test
    void aCountMakesSeveralWithNumberedNames() {
        assertThat(ContainerSpec.parse("web*3=1MiB"))
                .extracting(Container::name)
                .containsExactly("web-1", "web-2", "web-3");
    }

    @Test
    void takesMeasuredWorkingSetAndPressure() {
        assertThat(ContainerSpec.parse("db=2GiB:3GiB:0.1"))
                .containsExactly(new Container("db", 2048 * MIB, 3072 * MIB, 0.1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "web", "web=", "=1MiB", "web=lots", "web=1MiB:x", "web=1MiB:1MiB:2", "web=-1MiB"})
    void anyOtherFormIsRefusedWithTheInput(String text) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ContainerSpec.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
