// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** What is mounted where: {@code /proc/self/mountinfo}. Names there are bytes in no encoding, and are compared as such. */
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
        return on(directory, TABLE);
    }

    static Optional<Line> on(Path directory, Path table) throws IOException {
        String wanted = escaped(new String(directory.toString().getBytes(UTF_8), ISO_8859_1));
        return Stream.of(Files.readString(table, ISO_8859_1).split("\n", 0))
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
