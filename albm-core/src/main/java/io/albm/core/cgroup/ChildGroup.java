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
 * A control group that this process made below its own, for processes that it starts. Closing ends the processes in it
 * and removes it; that is also what is done about the remains of a run that was killed. Nothing outside of the group is
 * changed, but that v2 may have to enable the controller for children.
 */
final class ChildGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildGroup.class);
    private static final int REMOVAL_ATTEMPTS = 100;
    private static final long REMOVAL_PAUSE_MILLIS = 20;

    private final Path directory;

    private ChildGroup(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes the group.
     *
     * @param parent this process's group in the hierarchy of the controller
     * @param prefix of the names of all groups of that kind
     * @param name of letters, unique among the groups of that kind that this process makes
     * @param unified whether the hierarchy is v2, where a controller must be enabled for children
     */
    static ChildGroup create(Path parent, String prefix, String name, String controller, boolean unified)
            throws IOException {
        removeRemains(parent, prefix);
        if (unified) {
            enableForChildren(parent, controller);
        }
        return new ChildGroup(Files.createDirectory(
                parent.resolve(prefix + ProcessHandle.current().pid() + "-" + name)));
    }

    private static void enableForChildren(Path parent, String controller) throws IOException {
        Path control = parent.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains(controller)) {
            Files.writeString(control, "+" + controller);
        }
    }

    /** What a run left behind that was killed without a chance to clean up. */
    private static void removeRemains(Path parent, String prefix) throws IOException {
        try (var children = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path child : children) {
                if (ProcessHandle.of(owner(child, prefix)).isEmpty()) {
                    new ChildGroup(child).close();
                }
            }
        }
    }

    private static long owner(Path child, String prefix) {
        String name = child.getFileName().toString().substring(prefix.length());
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** In words, why a group could not be made. */
    static String reason(IOException e) {
        return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
    }

    Path directory() {
        return directory;
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
