// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.rank.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One running rank: an operating-system process, all that comes of it, and beside them a watcher, which ends them when this
 * process cannot do it any more ({@link WatchScript}).
 */
final class RankProcess {
    /** What a rank printed last is told before its good end; only what escaped its family can keep it waiting for so long. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final int rank;
    private final Process process;
    private final RankFamily family;
    private final CompletableFuture<Void> outputEnd = new CompletableFuture<>();
    private final CompletableFuture<Integer> exit;

    private RankProcess(int rank, Process process, RankFamily family) {
        this.rank = rank;
        this.process = process;
        this.family = family;
        this.exit = process.onExit()
                .thenCompose(
                        ended -> family.kill().thenCompose(_ -> ended.exitValue() == 0 ? lastWords() : done(ended)));
    }

    /**
     * Starts one.
     *
     * @param mark see {@link RankFamily}
     * @param until when the watcher ends it, unless this is renewed before; {@link WatchScript#NEVER} if it has no lease
     * @param output gets every line of standard output and error
     */
    static RankProcess start(
            int rank,
            RankCommand command,
            Map<String, String> environment,
            String mark,
            WatchScript watch,
            long until,
            Consumer<String> output)
            throws IOException {
        Process process = watch.start(command, environment, mark, until);
        RankProcess started = new RankProcess(rank, process, RankFamily.of(mark, process.toHandle()));
        Thread.ofVirtual().name("rank-" + rank + "-output").start(() -> {
            pump(process.getInputStream(), output);
            started.outputEnd.complete(null);
        });
        // Waits for as long as the rank runs; a virtual thread would keep another one from its carrier meanwhile.
        Thread.ofPlatform().daemon().name("rank-" + rank + "-watcher").start(() -> started.hearWatcher(output));
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

    /** For a successor of this process. */
    RankFamily family() {
        return family;
    }

    /** Done when it has ended, and nothing that came of it is left. */
    CompletableFuture<Integer> exit() {
        return exit;
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

    /**
     * Tells the watcher a new end of the lease. Does not wait: a pipe takes thousands of lines, and a watcher that reads none
     * ends the rank after the first few.
     *
     * @param until see {@link WatchScript#at}
     */
    void renew(long until) {
        try {
            OutputStream watcher = process.getOutputStream();
            watcher.write((until + "\n").getBytes(UTF_8));
            watcher.flush();
        } catch (IOException e) {
            // The rank has ended, or the watcher, which is noticed elsewhere.
        }
    }

    /** SIGKILL to the rank and all that came of it. Done when all of them are seen dead. */
    CompletableFuture<Void> kill() {
        process.destroyForcibly();
        return CompletableFuture.allOf(family.kill(), process.onExit());
    }

    /** A rank without a watcher would be nobody's when this process is killed, so it ends with it. */
    private void hearWatcher(Consumer<String> output) {
        pump(process.getErrorStream(), line -> output.accept("albm: " + line));
        if (!isDying()) {
            output.accept("albm: this rank is killed, since its watcher is gone");
            process.destroyForcibly();
        }
    }

    private static void pump(InputStream from, Consumer<String> output) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(from, UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                output.accept(line);
            }
        } catch (IOException e) {
            // The pipe of a killed process may break instead of ending.
        }
    }
}
