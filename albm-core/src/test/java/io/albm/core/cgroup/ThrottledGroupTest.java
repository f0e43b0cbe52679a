// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the kernel lets us; elsewhere what it says is all there is to test. */
class ThrottledGroupTest {
    private static final long BYTES = 20_000_000;

    @Test
    void isThereUntilItIsClosedAndHasReadNothingAtFirst(@TempDir Path directory) throws IOException {
        Path members;
        try (ThrottledGroup group = create(directory)) {
            members = group.members();
            assertThat(members).exists();
            assertThat(group.reads()).isZero();
        }
        assertThat(members).doesNotExist();
    }

    @Test
    void aFileSystemOfTheKernelsIsRefusedWithTheWayOut() throws IOException {
        try (ThrottledGroup group = ThrottledGroup.create("proc", Path.of("/proc/self"), 1, BYTES)) {
            throw new AssertionError("made " + group.members());
        } catch (NotPermittedException e) {
            assertThat(e).hasMessageContainingAll("/proc/self", "name a directory on a disk");
        }
    }

    private static ThrottledGroup create(Path directory) throws IOException {
        try {
            return ThrottledGroup.create("test", directory, 100, BYTES);
        } catch (NotPermittedException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }
}
