// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A machine with little memory, as far as the processes in it can tell: a memory control group of its own below this
 * process's group, with a limit. Memory that its processes use, page cache of the files that they read included, is the
 * group's memory. Closing ends the processes in it and removes it.
 */
public final class LimitedGroup implements AutoCloseable {
    private static final String PREFIX = "albm-limited-";
    private static final String CONTROLLER = "memory";

    private final ChildGroup group;
    private final boolean legacy;
    private final MemoryGroup memory;

    private LimitedGroup(ChildGroup group, boolean legacy) throws IOException {
        this.group = group;
        this.legacy = legacy;
        this.memory = MemoryGroup.open(group.directory());
    }

    /**
     * Makes the group.
     *
     * @param name of letters, unique among the groups that this process makes
     * @throws NotPermittedException if this machine does not let us
     */
    public static LimitedGroup create(String name, long limitBytes) throws IOException, NotPermittedException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        boolean legacy = layout.isLegacy(CONTROLLER);
        Path parent = layout.groupOf(ProcessHandle.current().pid(), CONTROLLER)
                .filter(Files::isDirectory)
                .orElseThrow(() -> new NotPermittedException(
                        "no memory control group: mount the memory controller (v1) or cgroup2 at /sys/fs/cgroup"));
        try {
            ChildGroup group = ChildGroup.create(parent, PREFIX, name, CONTROLLER, !legacy);
            group.set(legacy ? "memory.limit_in_bytes" : "memory.max", Long.toString(limitBytes));
            return new LimitedGroup(group, legacy);
        } catch (IOException e) {
            throw new NotPermittedException("cannot make a memory control group below " + parent + " ("
                    + ChildGroup.reason(e)
                    + "): run as root, or where systemd delegates one: systemd-run --scope -p Delegate=yes …");
        }
    }

    /** For whoever counts its memory. */
    public Path directory() {
        return group.directory();
    }

    /** Writing a process id here moves the process into the group. */
    public Path members() {
        return group.members();
    }

    /** The group's memory counters. */
    public MemoryGroup memory() {
        return memory;
    }

    /** Processes that the kernel killed because the group's memory ran out. */
    public long killedForMemory() throws IOException {
        Path file = directory().resolve(legacy ? "memory.oom_control" : "memory.events");
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                    .sum();
        }
    }

    @Override
    public void close() throws IOException {
        memory.close();
        group.close();
    }
}
