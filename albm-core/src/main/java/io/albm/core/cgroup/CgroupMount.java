// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One mounted hierarchy of control groups, as a line of {@code /proc/<pid>/mountinfo} tells.
 *
 * @param root the group that the mount shows as its top; a container may see only its own sub-tree
 * @param directory where it is mounted
 * @param unified whether it is the v2 hierarchy
 * @param controllers the v1 controllers it carries; empty for v2
 */
record CgroupMount(String root, Path directory, boolean unified, Set<String> controllers) {
    CgroupMount {
        controllers = Set.copyOf(controllers);
    }

    /** Every control-group mount in the text, in its order. */
    static List<CgroupMount> parse(String mountinfo) {
        return mountinfo
                .lines()
                .map(CgroupMount::parseLine)
                .flatMap(Optional::stream)
                .toList();
    }

    /** proc(5): {@code id parent major:minor root mountpoint options [optional]* - type source superoptions}. */
    private static Optional<CgroupMount> parseLine(String line) {
        int separator = line.indexOf(" - ");
        if (separator < 0) {
            return Optional.empty();
        }
        String[] place = line.substring(0, separator).split(" ", -1);
        String[] source = line.substring(separator + 3).split(" ", -1);
        if (place.length < 5 || source.length < 3) {
            return Optional.empty();
        }
        return switch (source[0]) {
            case "cgroup" -> Optional.of(mount(place, false, Set.of(source[2].split(",", -1))));
            case "cgroup2" -> Optional.of(mount(place, true, Set.of()));
            default -> Optional.empty();
        };
    }

    private static CgroupMount mount(String[] place, boolean unified, Set<String> controllers) {
        return new CgroupMount(unescape(place[3]), Path.of(unescape(place[4])), unified, controllers);
    }

    /** The kernel writes blanks in paths as octal escapes. */
    private static String unescape(String text) {
        return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    }

    /** Where the group {@code path} of this hierarchy is; empty if it lies outside what the mount shows. */
    Optional<Path> resolve(String path) {
        if (root.equals("/")) {
            return below(path);
        }
        if (path.equals(root) || path.startsWith(root + "/")) {
            return below(path.substring(root.length()));
        }
        return Optional.empty();
    }

    private Optional<Path> below(String path) {
        Path resolved = directory.resolve("." + (path.isEmpty() ? "/" : path)).normalize();
        return resolved.startsWith(directory) ? Optional.of(resolved) : Optional.empty();
    }
}
