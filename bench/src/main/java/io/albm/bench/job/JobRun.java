// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.job;

import io.albm.bench.process.ProcessGroup;
import io.albm.checkpoint.job.JobProgress;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code albm job run --json} as a process of its own, followed line by line. Thread-safe. */
public final class JobRun implements AutoCloseable {
    private static final Pattern HASH = Pattern.compile("sha256 ([0-9a-f]{64})");

    private final Process process;
    private final Path log;
    private final Consumer<JobProgress> listener;
    private final List<JobProgress> heard = new ArrayList<>();
    private boolean ended;

    private JobRun(Process process, Path log, Consumer<JobProgress> listener) {
        this.process = process;
        this.log = log;
        this.listener = listener;
    }

    /**
     * Starts it, from a thread that lasts as long as it shall: it ends with that.
     *
     * @param log where everything that the job says goes
     */
    public static JobRun start(
            List<String> command, Map<String, String> environment, Path log, Consumer<JobProgress> listener)
            throws IOException {
        List<String> bound = new ArrayList<>(ProcessGroup.ENDS_WITH_STARTER);
        bound.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(bound)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        JobRun run = new JobRun(builder.start(), log, listener);
        Thread.ofVirtual().name("job-output").start(run::follow);
        return run;
    }

    /**
     * Waits until the job says something.
     *
     * @throws CliException if it ends before, or stays silent about it longer than the bound
     */
    public <T extends JobProgress> T await(Class<T> kind, Predicate<T> wanted, Duration bound)
            throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        synchronized (this) {
            while (true) {
                Optional<T> found = heard(kind).filter(wanted).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (ended || left <= 0) {
                    throw new CliException(
                            ExitCode.FAILED,
                            "the job " + (ended ? "ended" : "did not come") + " to no " + kind.getSimpleName()
                                    + (ended ? "" : " within " + bound.toSeconds() + " s") + lastWords());
                }
                wait(left);
            }
        }
    }

    /** The processes of the ranks that run now. */
    public synchronized List<Long> ranks() {
        return heard(JobProgress.Started.class)
                .reduce((earlier, later) -> later)
                .map(JobProgress.Started::pids)
                .orElse(List.of());
    }

    /** Checkpoints committed so far. */
    public synchronized int checkpoints() {
        return (int) heard(JobProgress.Checkpoint.class).count();
    }

    /** What has become of it so far. */
    public synchronized JobResult result() {
        List<JobProgress.Rollback> toCheckpoint = heard(JobProgress.Rollback.class)
                .filter(rollback -> rollback.checkpoint() > 0)
                .toList();
        long longest = toCheckpoint.stream()
                .mapToLong(JobProgress.Rollback::millis)
                .max()
                .orElse(0);
        return new JobResult(hash(), checkpoints(), toCheckpoint.size(), longest);
    }

    /** Ends it, if it still runs; it takes its ranks with it. */
    @Override
    public void close() {
        // Process.destroy would close the stream under its reader.
        process.toHandle().destroy();
        process.onExit().join();
    }

    private String hash() {
        return heard(JobProgress.Output.class)
                .map(output -> HASH.matcher(output.text()))
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElse("");
    }

    private <T extends JobProgress> Stream<T> heard(Class<T> kind) {
        return heard.stream().filter(kind::isInstance).map(kind::cast);
    }

    private String lastWords() {
        return heard.isEmpty() ? "" : "; its last word: " + heard.getLast().line();
    }

    private void follow() {
        try (BufferedReader lines = process.inputReader();
                Writer copy = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.append(line).append('\n').flush();
                hear(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            end();
        }
    }

    private void hear(String line) {
        JobProgress progress = parse(line);
        synchronized (this) {
            heard.add(progress);
            notifyAll();
        }
        listener.accept(progress);
    }

    private static JobProgress parse(String line) {
        try {
            return Json.read(line, JobProgress.class);
        } catch (JsonException e) {
            return new JobProgress.Notice(line);
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }
}
