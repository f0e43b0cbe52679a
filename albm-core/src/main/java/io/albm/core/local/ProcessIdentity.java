// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that cannot be mistaken for another: the kernel gives a pid away again, but not with the same start time.
 * Nothing is signalled before it has been compared.
 *
 * @param pid process id
 * @param startTicks field 22 of {@code /proc/PID/stat}: clock ticks after boot
 */
public record ProcessIdentity(long pid, long startTicks) {
    /** Fields after the command name, which stands in parentheses and may hold anything. */
    private static final int STATE = 0;

    private static final int START_TICKS = 19;

    /** The process which has that pid now. */
    public static Optional<ProcessIdentity> of(long pid) {
        return stat(pid).map(fields -> new ProcessIdentity(pid, Long.parseLong(fields[START_TICKS])));
    }

    /** Whether this very process still runs; a zombie does not. */
    public boolean isAlive() {
        return stat(pid)
                .filter(fields -> Long.parseLong(fields[START_TICKS]) == startTicks)
                .filter(fields -> !fields[STATE].equals("Z") && !fields[STATE].equals("X"))
                .isPresent();
    }

    /** Asks it to end (SIGTERM), if it still runs. */
    void terminate() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    /** Ends it (SIGKILL), if it still runs. */
    void kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> handle() {
        return isAlive() ? ProcessHandle.of(pid) : Optional.empty();
    }

    private static Optional<String[]> stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" "));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
