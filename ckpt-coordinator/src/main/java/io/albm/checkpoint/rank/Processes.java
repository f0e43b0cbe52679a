// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.rank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What there is to know of processes of this machine. */
public final class Processes {
    /** proc(5): where the flags of a process are in its {@code stat} behind the name, and PF_EXITING among them. */
    private static final int FLAGS = 6;

    private static final long EXITING = 0x4;

    private Processes() {}

    /**
     * Whether a process has begun to die, or is gone. The kernel closes the files and connections of a killed process
     * before its end can be waited for, but never before this is true.
     */
    public static boolean isDying(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] afterName = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(afterName[FLAGS]) & EXITING) != 0;
        } catch (IOException gone) {
            return true;
        }
    }

    /** A process and all that it started, it last. */
    public static List<ProcessHandle> family(ProcessHandle process) {
        return Stream.concat(process.descendants(), Stream.of(process)).toList();
    }
}
