// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Removal;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt rm}. */
@Command(
        name = "rm",
        description = {
            "Remove a job that does not run, with all its checkpoints; or one complete checkpoint of any job.",
            "One that is pinned, or the newest, goes only with --force; the only one that a restart could go on from,"
                    + " never."
        },
        footer = {"  albm ckpt rm heat", "  albm ckpt rm heat 12"})
final class RemoveCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NUMBER",
            description = "One checkpoint. Default: the job, with all of them")
    private @Nullable Long number;

    @Option(names = "--force", description = "Remove the checkpoint though it is pinned, or the newest.")
    private boolean force;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            if (number == null) {
                removeJob(access, store);
            } else {
                removeOne(access, store, number);
            }
            return ExitCode.DONE;
        }
    }

    private void removeJob(JobAccess access, JobStore store) {
        if (access.await(access.cluster().store().read(store.paths().supervisor()))
                .isPresent()) {
            throw new CliException(
                    ExitCode.REFUSED, "job " + job.name() + " is running; stop its 'albm job run' first");
        }
        access.await(store.remove());
        int files = deleteFiles(access, store.paths().files());
        System.out.println("removed job " + job.name() + " and " + files + " files");
    }

    /** The record alone: which files others need is the leader's to know. */
    private void removeOne(JobAccess access, JobStore store, long victim) {
        new CheckpointChoice(access, store).numbered(victim);
        access.insist(() -> store.read().thenCompose(state -> {
            refuse(victim, state);
            return store.remove(victim, state);
        }));
        System.out.println("removed checkpoint " + victim + " of job " + job.name()
                + "; its files go with the next checkpoint, but for pages that others share");
    }

    private void refuse(long victim, DurableState state) {
        Optional<String> objection = Removal.objection(victim, state, force);
        if (objection.isPresent()) {
            throw new CliException(ExitCode.REFUSED, "job " + job.name() + ": " + objection.get());
        }
    }

    private static int deleteFiles(JobAccess access, String prefix) {
        Set<String> files = access.await(access.files().list(prefix)).keySet();
        files.forEach(file -> access.await(access.files().delete(file)));
        return files.size();
    }
}
