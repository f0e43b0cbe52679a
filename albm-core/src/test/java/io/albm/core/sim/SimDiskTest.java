// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimDiskTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8};

    @Test
    void keepsWhatWasSyncedThroughACrash() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            SimDisk disk = new SimDisk(new Simulation(seed), 100);
            disk.write("f", 0, CONTENT);
            disk.fsync("f");
            disk.crash();
            assertThat(disk.read("f")).isEqualTo(CONTENT);
        }
    }

    @Test
    void losesTearsOrKeepsAnUnsyncedWrite() throws IOException {
        Set<Integer> lengths = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            SimDisk disk = new SimDisk(new Simulation(seed), 100);
            disk.write("f", 0, CONTENT);
            disk.crash();
            lengths.add(disk.read("f").length);
        }
        assertThat(lengths).contains(0, CONTENT.length).hasSizeGreaterThan(4);
    }

    @Test
    void refusesWritesWhenFullAndLeavesTheFileAlone() throws IOException {
        SimDisk disk = new SimDisk(new Simulation(1), 10);
        disk.write("f", 0, CONTENT);
        assertThatThrownBy(() -> disk.write("f", 8, CONTENT)).hasMessageContaining("no space left");
        assertThat(disk.read("f")).isEqualTo(CONTENT);
    }

    @Test
    void rotFlipsOneBit() throws IOException {
        SimDisk disk = new SimDisk(new Simulation(2), 10);
        disk.write("f", 0, CONTENT);
        disk.fsync("f");
        disk.rot("f");
        int flipped = 0;
        byte[] now = disk.read("f");
        for (int i = 0; i < CONTENT.length; i++) {
            flipped += Integer.bitCount((now[i] ^ CONTENT[i]) & 0xff);
        }
        assertThat(flipped).isOne();
    }

    @Test
    void renameReplaces() throws IOException {
        SimDisk disk = new SimDisk(new Simulation(3), 100);
        disk.write("old", 0, new byte[] {9});
        disk.write("new", 0, CONTENT);
        disk.rename("new", "old");
        assertThat(disk.list()).containsExactly("old");
        assertThat(disk.read("old")).isEqualTo(CONTENT);
    }
}
