// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveMemoryTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"32, 16", "48, 16", "128, 32", "1024, 256", "65536, 256"})
    void isAQuarterOfWhatTheJvmMayHaveWithinBounds(long directMebibytes, long expectedMebibytes) {
        assertThat(ReceiveMemory.of(0, "built-in", directMebibytes * MIB, 0)).isEqualTo(expectedMebibytes * MIB);
    }

    @Test
    void isWhatIsConfigured() {
        assertThat(ReceiveMemory.of(1000 * MIB, "command line", 2000 * MIB, 0)).isEqualTo(1000 * MIB);
    }

    @Test
    void leavesTheCacheWhatItTakes() {
        assertThat(ReceiveMemory.of(0, "built-in", 512 * MIB, 256 * MIB)).isEqualTo(64 * MIB);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ReceiveMemory.of(0, "built-in", 64 * MIB, 256 * MIB))
                .withMessageContaining("-XX:MaxDirectMemorySize=289m");
    }

    @ParameterizedTest
    @ValueSource(longs = {15, 65})
    void refusesTooLittleForABlockAndTooMuchForTheJvm(long mebibytes) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ReceiveMemory.of(mebibytes * MIB, "command line", 128 * MIB, 0))
                .withMessageContaining("receive-memory = %d bytes (command line)", mebibytes * MIB)
                .withMessageContaining("-XX:MaxDirectMemorySize=");
    }
}
