// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Starts programs beside a watcher, {@code watch.sh}, which is no child of this process: it kills the program and all that came
 * of it when this process is gone, which is the end of a pipe, or when its lease ends, also if this process is only stopped.
 */
final class WatchScript {
    /** The end of no lease. */
    static final long NEVER = 0;

    private static final String NAME = "watch.sh";
    private static final int NANOS_OF_A_HUNDREDTH = 10_000_000;

    private final Path file;

    /** @param directory of the job on this host, where the script is put */
    WatchScript(Path directory) throws IOException {
        file = directory.resolve(NAME).toAbsolutePath();
        // A shell reads on in the file that it has open.
        Path next = file.resolveSibling(NAME + ".next");
        try (InputStream script = Objects.requireNonNull(WatchScript.class.getResourceAsStream(NAME))) {
            Files.copy(script, next, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * A time as a watcher measures it: hundredths of a second since the machine's start. Both processes read the same clock, so
     * that nothing between them makes a lease longer.
     *
     * @param nanos of this process's monotonic clock
     */
    static long at(long nanos) throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
        return new BigDecimal(uptime).movePointRight(2).longValue()
                + (nanos - System.nanoTime()) / NANOS_OF_A_HUNDREDTH;
    }

    /**
     * Starts a program.
     *
     * @param environment added to this process's
     * @param mark of its {@link RankFamily}
     * @param until its watcher's first end of the lease, as {@link #at}, or {@link #NEVER}
     * @return the program's process; its standard input and error are the watcher's
     */
    Process start(RankCommand command, Map<String, String> environment, String mark, long until) throws IOException {
        List<String> line = new ArrayList<>(List.of("setsid", "sh", file.toString(), "run", Long.toString(until)));
        line.addAll(command.line());
        ProcessBuilder builder = new ProcessBuilder(line).directory(new File(command.directory()));
        builder.environment().putAll(environment);
        builder.environment().put(RankFamily.MARK, mark);
        check(command, builder.environment().getOrDefault("PATH", ""));
        return builder.start();
    }

    /** The shell would only let the rank end with 127, again and again. */
    private static void check(RankCommand command, String searched) throws IOException {
        String program = command.line().getFirst();
        Path directory = Path.of(command.directory());
        Stream<Path> places = program.contains("/")
                ? Stream.of(directory)
                : Arrays.stream(searched.split(":", -1)).map(directory::resolve);
        if (places.map(place -> place.resolve(program))
                .noneMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file))) {
            throw new IOException("there is no program " + program
                    + (program.contains("/") ? ", seen from " + directory : " in " + searched));
        }
    }
}
