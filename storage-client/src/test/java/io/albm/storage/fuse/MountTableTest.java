// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MountTableTest {
    private static final List<String> LINES = List.of(
            "21 1 254:0 / / rw,relatime - ext4 /dev/root rw",
            "30 21 0:44 / /mnt/a\\040b rw,nosuid shared:7 master:1 - fuse.albm albm rw,user_id=0",
            "31 21 0:45 / /mnt/twice rw - tmpfs tmpfs rw",
            "32 21 0:46 / /mnt/twice rw - fuse.albm albm rw",
            "33 21 0:47 / /mnt/caf\u00e9 rw - ext4 /dev/sdb rw",
            "34 21 0:48 / /mnt/caf\u00c3\u00a9 rw - fuse.albm albm rw");

    @TempDir
    Path elsewhere;

    private Path table;

    /** Each character is a byte: the kernel shows names as they are, in whatever encoding. */
    @BeforeEach
    void write() throws IOException {
        table = Files.write(elsewhere.resolve("mountinfo"), LINES, ISO_8859_1);
    }

    @Test
    void findsAMountWhateverItsNameHolds() throws IOException {
        assertThat(MountTable.on(Path.of("/mnt/a b"), table)).contains(new MountTable.Line("0:44", "fuse.albm"));
    }

    @Test
    void findsTheUppermost() throws IOException {
        assertThat(MountTable.on(Path.of("/mnt/twice"), table)).contains(new MountTable.Line("0:46", "fuse.albm"));
    }

    @Test
    void findsAMountAmongNamesInOtherEncodings() throws IOException {
        assertThat(MountTable.on(Path.of("/mnt/caf\u00e9"), table)).contains(new MountTable.Line("0:48", "fuse.albm"));
    }

    @Test
    void findsNothingOnADirectoryThatIsInAMount() throws IOException {
        assertThat(MountTable.on(Path.of("/mnt"), table)).isEmpty();
    }
}
