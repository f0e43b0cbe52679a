// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm ckpt rm}. */
@Command(
        name = "rm",
        description = "Remove a job that does not run, with all its checkpoints. Single checkpoints are retired by the"
                + " coordinator alone ('albm job run --keep N').",
        footer = "  albm ckpt rm heat")
final class RemoveCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            if (access.await(access.cluster().store().read(store.paths().supervisor()))
                    .isPresent()) {
                throw new CliException(
                        ExitCode.REFUSED, "job " + job.name() + " is running; stop its 'albm job run' first");
            }
            access.await(store.remove());
            List<String> files = access.await(access.files().list(store.paths().files()));
            files.forEach(file -> access.await(access.files().delete(file)));
            System.out.println("removed job " + job.name() + " and " + files.size() + " files");
            return ExitCode.DONE;
        }
    }
}
