// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A whole disk, as control groups name it: {@code major:minor}. */
record BlockDevice(long major, long minor) {
    private static final Path DEVICES = Path.of("/sys/dev/block");

    /** The disk that a file is on; empty if it is on none, such as in a file system of memory or an overlay. */
    static Optional<BlockDevice> under(Path file) throws IOException {
        BlockDevice device = of((Long) Files.getAttribute(file, "unix:dev"));
        Path known = DEVICES.resolve(device.toString());
        if (!Files.isDirectory(known)) {
            return Optional.empty();
        }
        Path real = known.toRealPath();
        return Optional.of(
                Files.exists(real.resolve("partition")) ? parse(Files.readString(real.resolveSibling("dev"))) : device);
    }

    /** Of the number by which a file system calls it, as glibc's {@code major} and {@code minor} take it apart. */
    static BlockDevice of(long number) {
        return new BlockDevice(
                ((number >>> 8) & 0xfff) | ((number >>> 32) & 0xffff_f000L),
                (number & 0xff) | ((number >>> 12) & 0xffff_ff00L));
    }

    private static BlockDevice parse(String text) {
        String[] numbers = text.strip().split(":", -1);
        return new BlockDevice(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
