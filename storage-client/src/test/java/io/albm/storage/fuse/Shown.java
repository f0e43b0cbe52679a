// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@code lstat} tells of a name, as far as it has to be the same on all file systems.
 *
 * @param inode equal for names of the same file
 * @param attributes mode, owner, group and what else it has by its type
 * @param links how many names it has
 */
record Shown(Object inode, int mode, String attributes, int links, Object modified, Object changed) {
    /** Null if there is no such name. */
    static @Nullable Shown of(Path path) throws IOException {
        Map<String, Object> all;
        try {
            all = Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException none) {
            return null;
        }
        int mode = (int) get(all, "mode");
        String more = switch (mode & FileMode.TYPE) {
            case FileMode.DIRECTORY -> "";
            case FileMode.SYMBOLIC_LINK -> " -> " + Files.readSymbolicLink(path);
            case FileMode.REGULAR -> " " + get(all, "size") + " bytes";
            default -> " device " + get(all, "rdev");
        };
        return new Shown(
                get(all, "ino"),
                mode,
                "%o %s:%s%s".formatted(mode, get(all, "uid"), get(all, "gid"), more),
                (int) get(all, "nlink"),
                get(all, "lastModifiedTime"),
                get(all, "ctime"));
    }

    private static Object get(Map<String, Object> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    String text() {
        return attributes + " " + links + " links";
    }

    /** Without what follows from what is in a directory. */
    String ofItsOwn() {
        return FileMode.isDirectory(mode) ? attributes : text();
    }
}
