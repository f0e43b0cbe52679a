// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine with little memory, as far as the processes in it can tell: a memory control group of its own below this
 * process's group, with a limit. Memory that its processes use, page cache of the files that they read included, is the
 * group's memory.
 *
 * <p>Closing ends the processes in it and removes it; that is also what is done about the remains of a run that was
 * killed. Nothing outside of the group is changed, but that v2 may have to enable the memory controller for children.
 */
public final class LimitedGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LimitedGroup.class);
    private static final String PREFIX = "albm-limited-";
    private static final int REMOVAL_ATTEMPTS = 100;
    private static final long REMOVAL_PAUSE_MILLIS = 20;

    private final Path directory;
    private final boolean legacy;
    private final MemoryGroup memory;

    private LimitedGroup(Path directory, boolean legacy) throws IOException {
        this.directory = directory;
        this.legacy = legacy;
        this.memory = MemoryGroup.open(directory);
    }

    /**
     * Makes the group.
     *
     * @param name of letters, unique among the groups that this process makes
     * @throws NotPermittedException if this machine does not let us
     */
    public static LimitedGroup create(String name, long limitBytes) throws IOException, NotPermittedException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        boolean legacy = layout.isLegacy("memory");
        Path parent = layout.groupsOf(ProcessHandle.current().pid())
                .memory()
                .filter(Files::isDirectory)
                .orElseThrow(() -> new NotPermittedException(
                        "no memory control group: mount the memory controller (v1) or cgroup2 at /sys/fs/cgroup"));
        removeRemains(parent);
        try {
            return create(parent, name, legacy, limitBytes);
        } catch (IOException e) {
            throw new NotPermittedException("cannot make a memory control group below " + parent + " (" + reason(e)
                    + "): run as root, or where systemd delegates one: systemd-run --scope -p Delegate=yes …");
        }
    }

    private static LimitedGroup create(Path parent, String name, boolean legacy, long limitBytes) throws IOException {
        if (!legacy) {
            enableMemoryForChildren(parent);
        }
        Path directory = Files.createDirectory(
                parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + name));
        try {
            Files.writeString(
                    directory.resolve(legacy ? "memory.limit_in_bytes" : "memory.max"), Long.toString(limitBytes));
            return new LimitedGroup(directory, legacy);
        } catch (IOException e) {
            Files.delete(directory);
            throw e;
        }
    }

    private static void enableMemoryForChildren(Path parent) throws IOException {
        Path control = parent.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains("memory")) {
            Files.writeString(control, "+memory");
        }
    }

    private static String reason(IOException e) {
        return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
    }

    /** What a run left behind that was killed without a chance to clean up. */
    private static void removeRemains(Path parent) throws IOException {
        try (var children = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path child : children) {
                if (ProcessHandle.of(owner(child)).isEmpty()) {
                    remove(child);
                }
            }
        }
    }

    private static long owner(Path child) {
        String name = child.getFileName().toString().substring(PREFIX.length());
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** For whoever counts its memory. */
    public Path directory() {
        return directory;
    }

    /** Writing a process id here moves the process into the group. */
    public Path members() {
        return directory.resolve("cgroup.procs");
    }

    /** The group's memory counters. */
    public MemoryGroup memory() {
        return memory;
    }

    /** Processes that the kernel killed because the group's memory ran out. */
    public long killedForMemory() throws IOException {
        Path file = directory.resolve(legacy ? "memory.oom_control" : "memory.events");
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                    .sum();
        }
    }

    @Override
    public void close() throws IOException {
        memory.close();
        remove(directory);
    }

    /** The kernel lets go of a group a moment after its last process ended. */
    private static void remove(Path directory) throws IOException {
        for (int attempt = 1; Files.isDirectory(directory); attempt++) {
            killMembers(directory);
            try {
                Files.delete(directory);
            } catch (IOException e) {
                if (attempt == REMOVAL_ATTEMPTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void killMembers(Path directory) throws IOException {
        for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(process -> {
                LOG.debug("ending {} in {}", process.pid(), directory);
                process.destroyForcibly();
            });
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(REMOVAL_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a control group was being removed", e);
        }
    }
}
