// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How this machine lays its control groups out, and with that where a process's groups are.
 *
 * <p>Three layouts are met in the field: every controller in v1 hierarchies of its own; all in the one v2 hierarchy;
 * and the hybrid, where v1 hierarchies carry the controllers while a v2 hierarchy without them (or with the rest) is
 * mounted beside. So a controller is looked up by itself: in the v1 hierarchy that names it, otherwise in v2. Detection
 * is a pure function of two kernel texts.
 */
public final class CgroupLayout {
    /** Which generations of control groups are mounted. */
    public enum Kind {
        NONE,
        V1,
        V2,
        HYBRID
    }

    private final List<CgroupMount> mounts;

    private CgroupLayout(List<CgroupMount> mounts) {
        this.mounts = mounts;
    }

    /** The layout that the text of {@code /proc/self/mountinfo} describes. */
    public static CgroupLayout parse(String mountinfo) {
        return new CgroupLayout(CgroupMount.parse(mountinfo));
    }

    /** This machine's layout, as this process sees it. */
    public static CgroupLayout ofThisMachine() throws IOException {
        return parse(Files.readString(Path.of("/proc/self/mountinfo")));
    }

    /** Which generations are mounted. */
    public Kind kind() {
        boolean unified = mounts.stream().anyMatch(CgroupMount::unified);
        boolean legacy = mounts.stream().anyMatch(mount -> !mount.unified());
        if (unified) {
            return legacy ? Kind.HYBRID : Kind.V2;
        }
        return legacy ? Kind.V1 : Kind.NONE;
    }

    /** Whether {@code controller} lives in a v1 hierarchy of its own. */
    public boolean isLegacy(String controller) {
        return mounts.stream().anyMatch(mount -> mount.controllers().contains(controller));
    }

    /** The groups of process {@code pid}. */
    public ContainerGroups groupsOf(long pid) throws IOException {
        return groups(Files.readString(Path.of("/proc", Long.toString(pid), "cgroup")));
    }

    /** The group that {@code controller} counts process {@code pid} in. */
    Optional<Path> groupOf(long pid, String controller) throws IOException {
        return directory(controller, Files.readString(Path.of("/proc", Long.toString(pid), "cgroup")));
    }

    /** The groups that the text of {@code /proc/<pid>/cgroup} names. */
    public ContainerGroups groups(String membership) {
        return new ContainerGroups(
                directory("memory", membership),
                directory("cpuacct", membership),
                directory("cpu", membership),
                unified(membership));
    }

    /**
     * The groups of the container whose memory group is at {@code memory}: in every hierarchy the one of the same path.
     * Outside of every hierarchy that is mounted it is that directory alone.
     */
    public ContainerGroups groupsAt(Path memory) {
        return mounts.stream()
                .filter(mount -> memory.startsWith(mount.directory()))
                .findFirst()
                .map(mount -> mount.directory().relativize(memory))
                .map(below -> new ContainerGroups(
                        Optional.of(memory), at("cpuacct", below), at("cpu", below), top(CgroupMount::unified, below)))
                .orElseGet(() -> new ContainerGroups(
                        Optional.of(memory), Optional.of(memory), Optional.of(memory), Optional.of(memory)));
    }

    private Optional<Path> at(String controller, Path below) {
        return isLegacy(controller)
                ? top(mount -> mount.controllers().contains(controller), below)
                : top(CgroupMount::unified, below);
    }

    private Optional<Path> top(Predicate<CgroupMount> which, Path below) {
        return mounts.stream()
                .filter(which)
                .findFirst()
                .map(mount -> mount.directory().resolve(below));
    }

    /** The directory of the group that {@code controller} counts the process in. */
    private Optional<Path> directory(String controller, String membership) {
        return isLegacy(controller) ? legacy(controller, membership) : unified(membership);
    }

    private Optional<Path> legacy(String controller, String membership) {
        return mounts.stream()
                .filter(mount -> mount.controllers().contains(controller))
                .flatMap(mount -> pathOf(controller, membership).flatMap(mount::resolve).stream())
                .findFirst();
    }

    private Optional<Path> unified(String membership) {
        return mounts.stream()
                .filter(CgroupMount::unified)
                .flatMap(mount -> pathOf("", membership).flatMap(mount::resolve).stream())
                .findFirst();
    }

    /** Lines are {@code id:controllers:path}; v2's line has no controllers. */
    private static Optional<String> pathOf(String controller, String membership) {
        return membership
                .lines()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3
                        && Arrays.asList(parts[1].split(",", -1)).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }
}
