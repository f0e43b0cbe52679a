// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What is mounted where: {@code /proc/self/mountinfo}. */
final class MountTable {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final int DEVICE = 2;
    private static final int DIRECTORY = 4;
    private static final int OPTIONAL = 6;

    private MountTable() {}

    /**
     * A mount.
     *
     * @param device the device number of its files, as {@code major:minor}
     * @param type of the file system
     */
    record Line(String device, String type) {}

    /** The mount that is uppermost on a directory, which is given without symbolic links. */
    static Optional<Line> on(Path directory) throws IOException {
        return on(directory, Files.readAllLines(TABLE));
    }

    static Optional<Line> on(Path directory, List<String> table) {
        String wanted = escaped(directory.toString());
        return table.stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields[DIRECTORY].equals(wanted))
                .reduce((lower, upper) -> upper)
                .map(fields -> new Line(fields[DEVICE], type(fields)));
    }

    /** The type stands behind a dash, before which there may be any number of fields. */
    private static String type(String[] fields) {
        int dash = OPTIONAL;
        while (!fields[dash].equals("-")) {
            dash++;
        }
        return fields[dash + 1];
    }

    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
