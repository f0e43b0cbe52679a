// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.CoordinationException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt pin}. */
@Command(
        name = "pin",
        description =
                "Keep a complete checkpoint until it is unpinned. When this command has said so, no coordinator can"
                        + " retire it any more.",
        footer = "  albm ckpt pin heat 12")
final class PinCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(
            index = "1",
            paramLabel = "NUMBER",
            description = "A complete checkpoint; 'albm ckpt ls JOB' lists them.")
    private long number;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            new CheckpointChoice(access, store).numbered(number);
            access.insist(() -> store.pin(number));
            System.out.println("pinned checkpoint " + number + " of job " + job.name());
            return ExitCode.DONE;
        } catch (CoordinationException.NoSuchNode retired) {
            throw new CliException(ExitCode.FAILED, "checkpoint " + number + " has just been retired", retired);
        } catch (IllegalArgumentException tooMany) {
            throw new CliException(ExitCode.REFUSED, String.valueOf(tooMany.getMessage()), tooMany);
        }
    }
}
