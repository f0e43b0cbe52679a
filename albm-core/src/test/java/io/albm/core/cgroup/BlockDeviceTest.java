// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BlockDeviceTest {
    @Test
    void takesTheNumberOfAFileSystemApart() {
        assertThat(BlockDevice.of(0xfe00)).hasToString("254:0");
        assertThat(BlockDevice.of(0x1_0001_0302L)).hasToString("259:1048578");
    }

    @Test
    void filesOfTheKernelAreOnNoDisk() throws IOException {
        assertThat(BlockDevice.under(Path.of("/proc/self"))).isEmpty();
    }
}
