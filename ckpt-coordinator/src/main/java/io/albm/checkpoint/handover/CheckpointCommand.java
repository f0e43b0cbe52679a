// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.checkpoint.rank.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The command that makes a program hand a state over now; one at a time. Thread-safe. */
final class CheckpointCommand {
    /** Lines of its output that are remembered for an error. */
    private static final int LAST_LINES = 5;

    private static final int MAX_LINE = 500;

    private final String command;
    private final Duration timeout;
    private @Nullable Process running;

    CheckpointCommand(String command, Duration timeout) {
        this.command = command;
        this.timeout = timeout;
    }

    /**
     * Runs it to its end, in the directory.
     *
     * @throws IOException if it does not end with 0 in time, with its last words; or if it was cancelled
     */
    void run(Map<String, String> environment, Path directory) throws IOException {
        Process process = start(environment, directory);
        Deque<String> last = new ArrayDeque<>();
        Thread reader = Thread.ofVirtual().name("checkpoint-cmd").start(() -> read(process, last));
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "--checkpoint-cmd did not end within " + timeout.toMillis() + " ms" + words(last));
            }
            // A child that it left behind may hold its output open for ever.
            reader.join(Duration.ofSeconds(1));
            if (process.exitValue() != 0) {
                throw new IOException("--checkpoint-cmd ended with " + process.exitValue() + words(last));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while --checkpoint-cmd ran", e);
        } finally {
            kill(process);
        }
    }

    private synchronized Process start(Map<String, String> environment, Path directory) throws IOException {
        cancel();
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process started = builder.start();
        running = started;
        started.getOutputStream().close();
        return started;
    }

    /** Kills it, if it runs. */
    synchronized void cancel() {
        if (running != null) {
            kill(running);
            running = null;
        }
    }

    private static void kill(Process process) {
        Processes.family(process.toHandle()).forEach(ProcessHandle::destroyForcibly);
    }

    private static void read(Process process, Deque<String> last) {
        try (BufferedReader in = process.inputReader()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (last) {
                    last.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line);
                    if (last.size() > LAST_LINES) {
                        last.remove();
                    }
                }
            }
        } catch (IOException e) {
            // The pipe of a killed process may break instead of ending.
        }
    }

    private static String words(Deque<String> last) {
        synchronized (last) {
            return last.isEmpty() ? " and said nothing" : ": " + String.join(" | ", last);
        }
    }
}
