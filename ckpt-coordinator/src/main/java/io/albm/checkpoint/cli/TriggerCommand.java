// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm ckpt trigger}. */
@Command(
        name = "trigger",
        description = "Ask for a checkpoint now and wait, for at most a minute, until it is complete.",
        footer = "  albm ckpt trigger heat")
final class TriggerCommand implements Callable<Integer> {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Override
    public Integer call() throws InterruptedException {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            long before = latest(access, store);
            access.await(access.cluster()
                    .store()
                    .commit(List.of(new Operation.Set(store.paths().trigger(), new byte[0], Operation.ANY))));
            long end = System.nanoTime() + LONGEST_WAIT.toNanos();
            while (latest(access, store) <= before) {
                if (System.nanoTime() > end) {
                    throw new CliException(
                            ExitCode.FAILED,
                            "no checkpoint of " + job.name()
                                    + " within a minute: does it run ('albm ckpt ls'), and is a"
                                    + " coordinator up ('albm status')?");
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            System.out.println("checkpoint " + latest(access, store) + " of " + job.name() + " is complete");
            return ExitCode.DONE;
        }
    }

    private static long latest(JobAccess access, JobStore store) {
        return access.await(store.committedNumbers()).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
