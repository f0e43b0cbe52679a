// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.Inflight;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Key;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Waits for something that a running job is to do, within a bound, and shows how far it is. A picocli mixin. */
final class JobWatch {
    private static final long LOOK_MILLIS = 100;
    private static final Key<Duration> TIMEOUT = Key.duration(
            "timeout", Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofHours(24), "Longest wait.");

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            description = "Longest time to wait. Default: ${DEFAULT-VALUE}")
    private String timeout = "2m";

    /** How far a job is, for people. */
    static String state(DurableState state) {
        Optional<Inflight> inflight = state.inflight().stream().findFirst();
        return inflight.map(begun -> "checkpoint " + begun.number()
                        + (begun.voted()
                                ? ": all ranks have saved, their states go to the storage"
                                : ": ranks gather and save"))
                .orElse("no checkpoint has begun: do all ranks use the participant library, and is a coordinator up"
                        + " ('albm status')?");
    }

    /**
     * Before anything is asked of the job.
     *
     * @throws CliException if the time to wait makes no sense, or nobody runs the job
     */
    void begin(JobAccess access, JobStore store) {
        longest();
        if (!isRunning(access, store)) {
            String job = store.paths().job();
            throw new CliException(
                    ExitCode.REFUSED, "job " + job + " does not run; 'albm job run --name " + job + "' continues it");
        }
    }

    static boolean isRunning(JobAccess access, JobStore store) {
        return access.await(access.cluster().store().read(store.paths().supervisor()))
                .isPresent();
    }

    /** Looks again and again until there is an answer; empty at the end of the time. */
    <T> Optional<T> until(JobAccess access, JobStore store, Supplier<Optional<T>> answer) {
        long end = System.nanoTime() + longest().toNanos();
        try (Progress progress = Progress.of(store.paths().job())) {
            Optional<T> found = answer.get();
            while (found.isEmpty() && System.nanoTime() - end < 0) {
                progress.say(state(access.await(store.read())));
                pause();
                found = answer.get();
            }
            return found;
        }
    }

    private Duration longest() {
        return TIMEOUT.parse(timeout, "--timeout");
    }

    /** As it was given. */
    String timeout() {
        return timeout;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }
}
