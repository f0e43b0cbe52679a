// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** One process of a {@link ProcessGroup}. Its output goes to files, which its last words are read from. */
public final class ChildProcess {
    private static final String READY = "READY ";
    private static final Duration LISTEN_BOUND = Duration.ofSeconds(10);
    private static final Duration TERM_BOUND = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofMillis(10);

    private final String name;
    private final Process process;
    private final Path out;
    private final Path err;

    ChildProcess(String name, Process process, Path out, Path err) {
        this.name = name;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit code, if it has ended. */
    public Optional<Integer> exitCode() {
        return process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
    }

    /** CPU time, user and system, that all its threads and all its children have used. */
    public Duration cpuTime() {
        return family().map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The ids of the process and all its children. */
    public List<Long> pids() {
        return family().map(ProcessHandle::pid).toList();
    }

    private Stream<ProcessHandle> family() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants());
    }

    /**
     * Waits for the line that begins with READY, as every role prints it.
     *
     * @return the rest of that line
     * @throws CliException if the process ends before, or needs longer
     */
    public String awaitReady(Duration bound) {
        await("ready", bound, () -> readyLine().isPresent());
        return readyLine().orElseThrow();
    }

    /** Waits until a port of this machine takes connections, as the process was told. */
    public void awaitListening(int port) {
        await("listening on " + port, LISTEN_BOUND, () -> Ports.listens(port));
    }

    /**
     * Waits until something is true of it.
     *
     * @param what in a word, for the error
     * @throws CliException if the process ends before, or needs longer
     */
    public void await(String what, Duration bound, BooleanSupplier condition) {
        await(what, bound, POLL, condition);
    }

    /**
     * The same for a condition that costs the process something to be asked.
     *
     * @param every how long until it is asked again
     */
    public void await(String what, Duration bound, Duration every, BooleanSupplier condition) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive()) {
                throw failed("ended before it was " + what);
            }
            if (System.nanoTime() > deadline) {
                throw failed("was not " + what + " within " + bound.toSeconds() + " s");
            }
            pause(every);
        }
    }

    /**
     * Writes a line to its standard input, and waits for the line that it answers with.
     *
     * @throws CliException if the process ends before, or needs longer
     */
    public String ask(String question, Duration bound) throws IOException {
        if (!process.isAlive()) {
            throw failed("had ended before it was asked");
        }
        int before = wholeLines().size();
        Writer in = process.outputWriter();
        in.write(question + "\n");
        in.flush();
        await("done with '" + question + "'", bound, () -> wholeLines().size() > before);
        return wholeLines().get(before);
    }

    private List<String> wholeLines() {
        String written = text(out);
        return written.substring(0, written.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Waits until it has ended well, or throws. */
    void awaitEnd(Duration bound) {
        if (!endsWithin(bound)) {
            throw failed("did not end within " + bound.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
            throw failed("ended with status " + process.exitValue());
        }
    }

    /** All that it has written to its standard output. */
    public String output() {
        return String.join("\n", lines(out));
    }

    /** All that it has written to its standard error. */
    public String errors() {
        return String.join("\n", lines(err));
    }

    private CliException failed(String what) {
        return new CliException(ExitCode.FAILED, name + " " + what + ": " + lastWords());
    }

    private Optional<String> readyLine() {
        return lines(out).stream()
                .filter(line -> line.startsWith(READY))
                .map(line -> line.substring(READY.length()))
                .findFirst();
    }

    /** The last line that it wrote to its standard error. */
    public String lastWords() {
        List<String> lines = lines(err);
        return lines.isEmpty() ? "it said nothing" : lines.getLast();
    }

    private static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks it to end, kills it if it does not within 15 s, and then what is left of its children. */
    void stop() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!endsWithin(TERM_BOUND)) {
            process.destroyForcibly();
        }
        children.forEach(ProcessHandle::destroyForcibly);
        CompletableFuture<?>[] ends = Stream.concat(Stream.of(process.toHandle()), children.stream())
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).join();
    }

    private boolean endsWithin(Duration bound) {
        try {
            process.onExit().get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a process cannot fail to end", e);
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process", e);
        }
    }
}
