// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.rank.Processes;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One running rank: an operating-system process, and its children. */
final class RankProcess {
    /** What a rank printed last is told before its good end, unless a process that it left keeps its output open. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final int rank;
    private final Process process;
    private final CompletableFuture<Void> outputEnd = new CompletableFuture<>();

    private RankProcess(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /** @param output gets every line of standard output and error */
    static RankProcess start(int rank, RankCommand command, Map<String, String> environment, Consumer<String> output)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.line())
                .directory(new File(command.directory()))
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        RankProcess started = new RankProcess(rank, builder.start());
        started.process.getOutputStream().close();
        Thread.ofVirtual().name("rank-" + rank + "-output").start(() -> started.pump(output));
        return started;
    }

    int rank() {
        return rank;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    long pid() {
        return process.pid();
    }

    /** With the pid, this names the process for ever: pids are used again. */
    Identity identity() {
        return new Identity(pid(), startOf(process.toHandle()));
    }

    /** Done when it has ended. */
    CompletableFuture<Integer> exit() {
        return process.onExit().thenCompose(ended -> ended.exitValue() == 0 ? lastWords() : done(ended));
    }

    private CompletableFuture<Integer> lastWords() {
        return outputEnd
                .copy()
                .completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(_ -> 0);
    }

    private static CompletableFuture<Integer> done(Process ended) {
        return CompletableFuture.completedFuture(ended.exitValue());
    }

    /**
     * Whether it has begun to die. The kernel closes the connections of a killed process before its end can be waited for, so
     * another rank may end because of that sooner than this one.
     */
    boolean isDying() {
        return Processes.isDying(pid());
    }

    /** SIGKILL to the rank and what it started. Done when all of them are seen dead. */
    CompletableFuture<Void> kill() {
        return kill(process.toHandle());
    }

    private static CompletableFuture<Void> kill(ProcessHandle handle) {
        List<ProcessHandle> family = Processes.family(handle);
        family.forEach(ProcessHandle::destroyForcibly);
        return CompletableFuture.allOf(
                family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private void pump(Consumer<String> output) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                output.accept(line);
            }
        } catch (IOException e) {
            // The pipe of a killed process may break instead of ending.
        } finally {
            outputEnd.complete(null);
        }
    }

    /**
     * A process of this machine.
     *
     * @param startMillis when it began, in milliseconds of the epoch; 0 if that was not known
     */
    record Identity(long pid, long startMillis) {
        /** Kills the process if it still is that one. Done when it is seen dead. */
        CompletableFuture<Void> killIfAlive() {
            return ProcessHandle.of(pid)
                    .filter(handle -> handle.isAlive() && startOf(handle) == startMillis)
                    .map(RankProcess::kill)
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }

        boolean isAlive() {
            return ProcessHandle.of(pid)
                    .filter(handle -> handle.isAlive() && startOf(handle) == startMillis)
                    .isPresent();
        }
    }
}
