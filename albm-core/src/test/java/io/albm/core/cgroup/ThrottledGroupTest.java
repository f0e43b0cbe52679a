// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the kernel lets us; elsewhere what it says is all there is to test. */
class ThrottledGroupTest {
    private static final long BYTES = 20_000_000;

    /** The file that has it, of version 1 and version 2. */
    private static final List<String> SETTINGS = List.of("blkio.throttle.write_bps_device", "io.max");

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
    void theKernelKnowsTheRateOfWrites(@TempDir Path directory) throws IOException {
        try (ThrottledGroup group = ThrottledGroup.ofWrites("test", directory, BYTES)) {
            List<Path> rates = SETTINGS.stream()
                    .map(group.members()::resolveSibling)
                    .filter(Files::exists)
                    .toList();
            assertThat(rates)
                    .singleElement()
                    .satisfies(file -> assertThat(file).content().contains(Long.toString(BYTES)));
        } catch (NotPermittedException e) {
            abort(String.valueOf(e.getMessage()));
        }
    }

    @Test
    void aFileSystemOfTheKernelsIsRefusedWithTheWayOut() throws IOException {
        try (ThrottledGroup group = ThrottledGroup.ofReads("proc", Path.of("/proc/self"), 1, BYTES)) {
            throw new AssertionError("made " + group.members());
        } catch (NotPermittedException e) {
            assertThat(e).hasMessageContainingAll("/proc/self", "name a directory on a disk");
        }
    }

    private static ThrottledGroup create(Path directory) throws IOException {
        try {
            return ThrottledGroup.ofReads("test", directory, 100, BYTES);
        } catch (NotPermittedException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }
}
