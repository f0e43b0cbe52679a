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
import java.util.concurrent.CompletableFuture;
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
            if (number == null) {
                removeJob(access, job.named(access));
            } else {
                removeOne(access, job.store(access), number);
            }
            return ExitCode.DONE;
        }
    }

    /** The records lead to the files, so they go only when the files can be found; done again, it removes what is left. */
    private void removeJob(JobAccess access, JobStore store) {
        if (access.await(access.cluster().store().read(store.paths().supervisor()))
                .isPresent()) {
            throw new CliException(
                    ExitCode.REFUSED, "job " + job.name() + " is running; stop its 'albm job run' first");
        }
        Set<String> files = files(access, store, "job " + job.name() + " is left as it is");
        String left = "files of job " + job.name() + " are left, 'albm ckpt rm " + job.name() + "' removes them";
        if (access.await(store.spec()).isPresent()) {
            access.await(store.remove());
            files = files(access, store, left);
        } else if (files.isEmpty()) {
            throw job.unknown();
        }
        files.forEach(file -> access.awaitStored(access.files().delete(file), left));
        System.out.println("removed job " + job.name() + " and " + files.size() + " files");
    }

    private static Set<String> files(JobAccess access, JobStore store, String otherwise) {
        return access.awaitStored(access.files().list(store.paths().files()), otherwise)
                .keySet();
    }

    /** The record alone: which files others need is the leader's to know. */
    private void removeOne(JobAccess access, JobStore store, long victim) {
        new CheckpointChoice(access, store).numbered(victim);
        access.insist(() -> store.read().thenCompose(state -> remove(store, victim, state)));
        System.out.println("removed checkpoint " + victim + " of job " + job.name()
                + "; its files go with the next checkpoint, but for pages that others share");
    }

    /** It was there when the command began: that it is gone is the answer to a try that was not answered. */
    private CompletableFuture<Void> remove(JobStore store, long victim, DurableState state) {
        if (!state.committed().contains(victim)) {
            return CompletableFuture.completedFuture(null);
        }
        refuse(victim, state);
        return store.remove(victim, state);
    }

    private void refuse(long victim, DurableState state) {
        Optional<String> objection = Removal.objection(victim, state, force);
        if (objection.isPresent()) {
            throw new CliException(ExitCode.REFUSED, "job " + job.name() + ": " + objection.get());
        }
    }
}
