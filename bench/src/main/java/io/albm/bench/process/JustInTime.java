// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * CPU time of a JVM's just-in-time compilers, as the kernel counts it for their threads. While they are busy the program
 * is not the one that will run in an hour: a figure taken then is one of the compilers.
 */
public final class JustInTime {
    /** The kernel cuts names of threads to 15 characters: "C1 CompilerThread0" and "C2 CompilerThread0". */
    private static final String COMPILER = " CompilerThre";

    /** Fields of stat after the name, which stands in parentheses: user and system time, in ticks of 10 ms. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int TICK_MILLIS = 10;

    private JustInTime() {}

    /** Of the compiler threads that the process has now. */
    public static Duration cpuTime(long pid) throws IOException {
        Duration sum = Duration.ZERO;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                sum = sum.plus(ifCompiler(thread));
            }
        }
        return sum;
    }

    private static Duration ifCompiler(Path thread) throws IOException {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int behindName = stat.lastIndexOf(')');
            return stat.substring(0, behindName).endsWith(COMPILER)
                    ? time(stat.substring(behindName + 2).split(" ", -1))
                    : Duration.ZERO;
        } catch (NoSuchFileException e) {
            return Duration.ZERO; // ended meanwhile
        }
    }

    private static Duration time(String[] fields) {
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        return Duration.ofMillis(ticks * TICK_MILLIS);
    }
}
