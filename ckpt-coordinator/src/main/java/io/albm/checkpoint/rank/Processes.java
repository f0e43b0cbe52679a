// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.rank;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What there is to know of processes of this machine. */
public final class Processes {
    /** proc(5): where these are in a process's {@code stat} behind the name. */
    private static final int STATE = 0;

    private static final int SESSION = 3;
    private static final int FLAGS = 6;

    /** PF_EXITING among the flags. */
    private static final long EXITING = 0x4;

    private Processes() {}

    /**
     * Whether a process has begun to die, or is gone. The kernel closes the files and connections of a killed process
     * before its end can be waited for, but never before this is true.
     */
    public static boolean isDying(long pid) {
        return stat(pid)
                .map(fields -> (Long.parseLong(fields[FLAGS]) & EXITING) != 0)
                .orElse(true);
    }

    /** Whether a process is gone, or has ended and only was not waited for. */
    public static boolean isDead(long pid) {
        return stat(pid)
                .map(fields -> fields[STATE].equals("Z") || fields[STATE].equals("X"))
                .orElse(true);
    }

    /** The session that a process is in; −1 if it is gone. */
    public static long session(long pid) {
        return stat(pid).map(fields -> Long.parseLong(fields[SESSION])).orElse(-1L);
    }

    /** Whether a process was started with this variable; false, too, if it is another user's. */
    public static boolean hasInEnvironment(long pid, String variable) {
        try {
            byte[] environment = Files.readAllBytes(proc(pid).resolve("environ"));
            return new String(environment, ISO_8859_1).contains(variable);
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<String[]> stat(long pid) {
        try {
            String line = Files.readString(proc(pid).resolve("stat"), ISO_8859_1);
            return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static Path proc(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** A process and all that it started, it last; none if it has ended: its number may be another one's by now. */
    public static List<ProcessHandle> family(ProcessHandle process) {
        if (!process.isAlive()) {
            return List.of();
        }
        return Stream.concat(process.descendants(), Stream.of(process)).toList();
    }
}
