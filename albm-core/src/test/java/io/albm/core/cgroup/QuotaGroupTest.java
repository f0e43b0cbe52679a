// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where the kernel lets us; elsewhere what it says is all there is to test. */
class QuotaGroupTest {
    @Test
    void holdsWhoIsInItUntilItIsLiftedAndEndsHimWhenItIsClosed() throws IOException {
        Path members;
        Process busy = new ProcessBuilder("sleep", "60").start();
        try (QuotaGroup group = create()) {
            members = group.members();
            Files.writeString(members, Long.toString(busy.pid()));
            group.hold(0.5);
            assertThat(processorsOf(busy)).isEqualTo(0.5);

            group.lift();
            assertThat(processorsOf(busy)).isEqualTo(CpuLevel.UNLIMITED);
            assertThat(busy.isAlive()).isTrue();
        }

        assertThat(busy.onExit().join().isAlive()).isFalse();
        assertThat(members).doesNotExist();
    }

    @Test
    void aQuotaThatTheKernelWouldNotTakeIsRefused() throws IOException {
        try (QuotaGroup group = create()) {
            assertThatThrownBy(() -> group.hold(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 0.1");
        }
    }

    private static double processorsOf(Process process) throws IOException {
        try (CpuGroup group = CpuGroup.open(CgroupLayout.ofThisMachine().groupsOf(process.pid()))) {
            return group.limit();
        }
    }

    private static QuotaGroup create() throws IOException {
        try {
            return QuotaGroup.create("test");
        } catch (NotPermittedException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }
}
