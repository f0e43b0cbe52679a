// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of one run and the directory of their files: both are gone when it is closed, however the run ends.
 * Closing stops them, youngest first; a shutdown hook does the same on Ctrl-C; and if this very process is killed, the
 * kernel sends each of them a SIGTERM (the parent-death signal).
 *
 * <p>That signal belongs to the thread which starts a process, not to the whole parent: start them from a thread that
 * lasts as long as they shall, such as the main thread, never from a virtual one or a pool's. Thread-safe otherwise.
 */
public final class ProcessGroup implements AutoCloseable {
    /** Put before a command, it has the kernel send that a SIGTERM when the thread that starts it ends, however it does. */
    public static final List<String> ENDS_WITH_STARTER = List.of("setpriv", "--pdeathsig", "TERM");

    private static final Logger LOG = LoggerFactory.getLogger(ProcessGroup.class);

    private final Path directory;
    private final Thread hook = Thread.ofPlatform().unstarted(this::cleanUp);
    private final Deque<ChildProcess> running = new ArrayDeque<>();
    private boolean closed;

    private ProcessGroup(Path directory) {
        this.directory = directory;
    }

    /**
     * An empty group.
     *
     * @param base its own directory is made in there
     */
    public static ProcessGroup in(Path base) throws IOException {
        ProcessGroup group = new ProcessGroup(Files.createTempDirectory(Files.createDirectories(base), "run-"));
        Runtime.getRuntime().addShutdownHook(group.hook);
        return group;
    }

    /** Where files of the run may be; deleted in the end. */
    public Path directory() {
        return directory;
    }

    /**
     * Starts a process in a session of its own, where Ctrl-C does not reach it before us.
     *
     * @param name for its files and for errors, unique in the group
     */
    public ChildProcess start(String name, List<String> command) throws IOException {
        return start(name, command, Redirect.from(Path.of("/dev/null").toFile()));
    }

    /** Starts a process that can be {@linkplain ChildProcess#ask asked}: its standard input ends with this process. */
    public ChildProcess startAsked(String name, List<String> command) throws IOException {
        return start(name, command, Redirect.PIPE);
    }

    private synchronized ChildProcess start(String name, List<String> command, Redirect input) throws IOException {
        if (closed) {
            throw new CliException(ExitCode.FAILED, "interrupted");
        }
        List<String> bound = new ArrayList<>(List.of("setsid"));
        bound.addAll(ENDS_WITH_STARTER);
        bound.addAll(command);
        Path out = directory.resolve(name + ".out");
        Path err = directory.resolve(name + ".err");
        Process process = new ProcessBuilder(bound)
                .directory(directory.toFile())
                .redirectInput(input)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        ChildProcess child = new ChildProcess(name, process, out, err);
        running.push(child);
        return child;
    }

    /**
     * Runs a command to its end.
     *
     * @return what it wrote to its standard output
     * @throws CliException if it fails or takes longer than {@code bound}
     */
    public String run(String name, List<String> command, Duration bound) throws IOException {
        return runAll(Map.of(name, command), bound).getFirst();
    }

    /**
     * Runs commands side by side to their ends.
     *
     * @param commands by name
     * @return what each wrote to its standard output, in the order of the commands
     * @throws CliException if one of them fails or takes longer than {@code bound}; none is left
     */
    public List<String> runAll(Map<String, List<String>> commands, Duration bound) throws IOException {
        List<ChildProcess> children = new ArrayList<>();
        try {
            for (var command : commands.entrySet()) {
                children.add(start(command.getKey(), command.getValue()));
            }
            children.forEach(child -> child.awaitEnd(bound));
            return children.stream().map(ChildProcess::output).toList();
        } finally {
            children.forEach(this::stop);
        }
    }

    /** Whether all of them were stopped, be it by a signal: nothing more can be started. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Stops one of them before the others. */
    public void stop(ChildProcess child) {
        child.stop();
        synchronized (this) {
            running.remove(child);
        }
    }

    /** Starts one of this JAR's own mains, which a bench has for a process beside it. */
    public ChildProcess startJava(String name, List<String> jvmOptions, Class<?> main, String... arguments)
            throws IOException {
        return startJava(name, List.of(), jvmOptions, main, arguments);
    }

    /**
     * As above.
     *
     * @param before a command that becomes the one behind it, such as {@code env A=B}
     */
    public ChildProcess startJava(
            String name, List<String> before, List<String> jvmOptions, Class<?> main, String... arguments)
            throws IOException {
        return start(name, javaCommand(before, jvmOptions, main, arguments));
    }

    /** The command line of one of this JAR's own mains. */
    public static List<String> javaCommand(
            List<String> before, List<String> jvmOptions, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Relative entries are seen from our directory, not from the group's. */
    private static String classPath() {
        String separator = System.getProperty("path.separator");
        List<String> entries = Stream.of(System.getProperty("java.class.path").split(separator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList();
        return String.join(separator, entries);
    }

    @Override
    public void close() {
        cleanUp();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("this process is going down: the hook has done or will do the same", e);
        }
    }

    private synchronized void cleanUp() {
        closed = true;
        while (!running.isEmpty()) {
            running.pop().stop();
        }
        delete();
    }

    private void delete() {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> deepestFirst = Files.walk(directory).sorted(Comparator.reverseOrder())) {
            for (Path path : deepestFirst.toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", directory, e.toString());
        }
    }
}
