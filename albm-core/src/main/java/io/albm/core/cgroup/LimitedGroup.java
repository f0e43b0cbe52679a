// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import io.albm.core.cgroup.CgroupLayout;
import io.albm.core.cgroup.MemoryGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker of paper P4 with little memory: a memory control group of its own below this process's group, with a limit.
 * Memory that its processes use, page cache of the files that they read included, is the node's memory.
 *
 * <p>Closing ends the processes in it and removes it; that is also what is done about the remains of a run that was
 * killed. Nothing outside of the group is changed, but that v2 may have to enable the memory controller for children.
 */
final class WorkerNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerNode.class);
    private static final String PREFIX = "albm-interference-";
    private static final int REMOVAL_ATTEMPTS = 100;
    private static final long REMOVAL_PAUSE_MILLIS = 20;

    private final Path directory;
    private final boolean legacy;
    private final MemoryGroup memory;

    private WorkerNode(Path directory, boolean legacy) throws IOException {
        this.directory = directory;
        this.legacy = legacy;
        this.memory = MemoryGroup.open(directory);
    }

    /** Makes the group. */
    static WorkerNode create(long limitBytes) throws IOException, NotPermittedException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        boolean legacy = layout.isLegacy("memory");
        Path parent = layout.groupsOf(ProcessHandle.current().pid())
                .memory()
                .filter(Files::isDirectory)
                .orElseThrow(() -> new NotPermittedException(
                        "no memory control group: mount the memory controller (v1) or cgroup2 at /sys/fs/cgroup"));
        removeRemains(parent);
        try {
            return create(parent, legacy, limitBytes);
        } catch (IOException e) {
            throw new NotPermittedException("cannot make a memory control group below " + parent + " (" + reason(e)
                    + "): run as root, or where systemd delegates one: systemd-run --scope -p Delegate=yes …");
        }
    }

    private static WorkerNode create(Path parent, boolean legacy, long limitBytes) throws IOException {
        if (!legacy) {
            enableMemoryForChildren(parent);
        }
        Path directory = Files.createDirectory(
                parent.resolve(PREFIX + ProcessHandle.current().pid()));
        try {
            Files.writeString(
                    directory.resolve(legacy ? "memory.limit_in_bytes" : "memory.max"), Long.toString(limitBytes));
            return new WorkerNode(directory, legacy);
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
                long owner = Long.parseLong(child.getFileName().toString().substring(PREFIX.length()));
                if (ProcessHandle.of(owner).isEmpty()) {
                    remove(child);
                }
            }
        }
    }

    /** Writing a process id here moves the process into the node. */
    Path members() {
        return directory.resolve("cgroup.procs");
    }

    /** The node's memory counters. */
    MemoryGroup memory() {
        return memory;
    }

    /** Processes that the kernel killed because the node's memory ran out. */
    long killedForMemory() throws IOException {
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
