// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt unpin}. */
@Command(
        name = "unpin",
        description =
                "Let a pinned checkpoint go the way of all others: it is retired after the next commit, if it is old"
                        + " enough.",
        footer = "  albm ckpt unpin heat 12")
final class UnpinCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(index = "1", paramLabel = "NUMBER", description = "A pinned checkpoint; 'albm ckpt ls JOB' shows them.")
    private long number;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            if (!access.await(store.marks()).pinned().contains(number)) {
                throw new CliException(
                        ExitCode.FAILED, "checkpoint " + number + " of job " + job.name() + " is not pinned");
            }
            access.insist(() -> store.unpin(number));
            System.out.println("unpinned checkpoint " + number + " of job " + job.name());
            return ExitCode.DONE;
        }
    }
}
