// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A control group that this process made below its own, for processes that it starts. Closing ends the processes in it
 * and removes it; that is also what is done about the remains of a run that was killed. Nothing outside of the group is
 * changed, but that v2 may have to enable the controller for children.
 */
final class ChildGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildGroup.class);
    private static final int REMOVAL_ATTEMPTS = 100;
    private static final long REMOVAL_PAUSE_MILLIS = 20;

    /** What the processes in a group share, and who makes them share it. */
    enum Controller {
        MEMORY("memory", "memory", "albm-limited-"),
        PROCESSORS("cpu", "cpu", "albm-quota-"),
        DISKS("blkio", "io", "albm-throttled-");

        private final String legacyName;
        private final String unifiedName;
        private final String prefix;

        Controller(String legacyName, String unifiedName, String prefix) {
            this.legacyName = legacyName;
            this.unifiedName = unifiedName;
            this.prefix = prefix;
        }

        private String name(boolean legacy) {
            return legacy ? legacyName : unifiedName;
        }

        private String resource() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Sets what holds for a group from the start. */
    interface Setup {
        void of(ChildGroup group) throws IOException;
    }

    private final Path directory;
    private final boolean legacy;

    private ChildGroup(Path directory, boolean legacy) {
        this.directory = directory;
        this.legacy = legacy;
    }

    /**
     * Makes a group below this process's own in the hierarchy of the controller.
     *
     * @param name of letters, unique among the groups of that controller that this process makes
     * @throws NotPermittedException if this machine does not let us
     */
    static ChildGroup create(Controller controller, String name, Setup setup)
            throws IOException, NotPermittedException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        boolean legacy = layout.isLegacy(controller.legacyName);
        Path parent = layout.groupOf(ProcessHandle.current().pid(), controller.name(legacy))
                .filter(Files::isDirectory)
                .orElseThrow(() -> new NotPermittedException(
                        "no control group for %s: mount the %s controller (v1) or cgroup2 at /sys/fs/cgroup"
                                .formatted(controller.resource(), controller.legacyName)));
        try {
            ChildGroup group = below(parent, controller, name, legacy);
            setup.of(group);
            return group;
        } catch (IOException e) {
            throw new NotPermittedException(
                    "cannot make a control group for %s below %s (%s): run as root, or where systemd delegates one: systemd-run --scope -p Delegate=yes …"
                            .formatted(controller.resource(), parent, reason(e)));
        }
    }

    private static ChildGroup below(Path parent, Controller controller, String name, boolean legacy)
            throws IOException {
        removeRemains(parent, controller.prefix, legacy);
        if (!legacy) {
            enableForChildren(parent, controller.unifiedName);
        }
        Path directory =
                parent.resolve(controller.prefix + ProcessHandle.current().pid() + "-" + name);
        return new ChildGroup(Files.createDirectory(directory), legacy);
    }

    private static void enableForChildren(Path parent, String controller) throws IOException {
        Path control = parent.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains(controller)) {
            Files.writeString(control, "+" + controller);
        }
    }

    /** What a run left behind that was killed without a chance to clean up. */
    private static void removeRemains(Path parent, String prefix, boolean legacy) throws IOException {
        try (var children = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path child : children) {
                if (ProcessHandle.of(owner(child, prefix)).isEmpty()) {
                    new ChildGroup(child, legacy).close();
                }
            }
        }
    }

    private static long owner(Path child, String prefix) {
        String name = child.getFileName().toString().substring(prefix.length());
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** In words, why a group could not be made. */
    private static String reason(IOException e) {
        return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
    }

    Path directory() {
        return directory;
    }

    /** Whether its hierarchy is v1, whose files have other names. */
    boolean isLegacy() {
        return legacy;
    }

    /** Writing a process id here moves the process into the group. */
    Path members() {
        return directory.resolve("cgroup.procs");
    }

    /** Sets one of its files; a group that does not take the value is removed. */
    void set(String file, String value) throws IOException {
        try {
            Files.writeString(directory.resolve(file), value);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** The kernel lets go of a group a moment after its last process ended. */
    @Override
    public void close() throws IOException {
        for (int attempt = 1; Files.isDirectory(directory); attempt++) {
            killMembers();
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

    private void killMembers() throws IOException {
        for (String pid : Files.readAllLines(members())) {
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
