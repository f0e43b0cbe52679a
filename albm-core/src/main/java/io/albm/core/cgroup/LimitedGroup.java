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
    private final ChildGroup group;
    private final MemoryGroup memory;

    private LimitedGroup(ChildGroup group, MemoryGroup memory) {
        this.group = group;
        this.memory = memory;
    }

    /**
     * Makes the group.
     *
     * @param name of letters, unique among the groups that this process makes
     * @throws NotPermittedException if this machine does not let us
     */
    public static LimitedGroup create(String name, long limitBytes) throws IOException, NotPermittedException {
        ChildGroup group = ChildGroup.create(
                ChildGroup.Controller.MEMORY,
                name,
                made -> made.set(made.isLegacy() ? "memory.limit_in_bytes" : "memory.max", Long.toString(limitBytes)));
        try {
            return new LimitedGroup(group, MemoryGroup.open(group.directory()));
        } catch (IOException e) {
            group.close();
            throw e;
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
        Path file = directory().resolve(group.isLegacy() ? "memory.oom_control" : "memory.events");
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
