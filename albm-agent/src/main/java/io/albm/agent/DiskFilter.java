// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells the disks at the bottom from the devices that stand on them: a partition has no entry of its own in
 * {@code /sys/block}, device mapper and RAID name their {@code slaves}, a loop device is a file of a disk, a RAM disk is
 * memory, and the hidden paths of a multipath disk are counted with it.
 */
final class DiskFilter {
    private static final List<String> NO_DISKS = List.of("loop", "ram", "zram");

    private final Path block;

    /**
     * A filter by what the kernel says.
     *
     * @param block {@code /sys/block}
     */
    DiskFilter(Path block) {
        this.block = block;
    }

    /** Whether that device is a disk by itself. */
    boolean isWhole(String name) {
        // The kernel writes the slash in a name such as cciss/c0d0 as an exclamation mark.
        Path device = block.resolve(name.replace('/', '!'));
        return NO_DISKS.stream().noneMatch(name::startsWith)
                && Files.isDirectory(device)
                && !hasEntries(device.resolve("slaves"))
                && !isHidden(device.resolve("hidden"));
    }

    private static boolean hasEntries(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isHidden(Path file) {
        try {
            return Files.readString(file).strip().equals("1");
        } catch (IOException e) {
            return false;
        }
    }
}
