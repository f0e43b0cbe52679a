// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MountTableTest {
    private static final List<String> TABLE = List.of(
            "21 1 254:0 / / rw,relatime - ext4 /dev/root rw",
            "30 21 0:44 / /mnt/a\\040b rw,nosuid shared:7 master:1 - fuse.albm albm rw,user_id=0",
            "31 21 0:45 / /mnt/twice rw - tmpfs tmpfs rw",
            "32 21 0:46 / /mnt/twice rw - fuse.albm albm rw");

    @Test
    void findsAMountWhateverItsNameHolds() {
        assertThat(MountTable.on(Path.of("/mnt/a b"), TABLE)).contains(new MountTable.Line("0:44", "fuse.albm"));
    }

    @Test
    void findsTheUppermost() {
        assertThat(MountTable.on(Path.of("/mnt/twice"), TABLE)).contains(new MountTable.Line("0:46", "fuse.albm"));
    }

    @Test
    void findsNothingOnADirectoryThatIsInAMount() {
        assertThat(MountTable.on(Path.of("/mnt"), TABLE)).isEmpty();
    }
}
