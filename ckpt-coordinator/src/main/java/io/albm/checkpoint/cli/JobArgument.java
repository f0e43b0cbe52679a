// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import picocli.CommandLine.Parameters;

/** The job that a command is about. */
final class JobArgument {
    @Parameters(index = "0", paramLabel = "JOB", description = "Name of the job; 'albm ckpt ls' lists them.")
    private String name = "";

    String name() {
        return name;
    }

    /** The job's records. */
    JobStore store(JobAccess access) {
        JobStore store = access.job(name);
        JobSpec spec = access.await(store.spec())
                .orElseThrow(() -> new CliException(
                        ExitCode.FAILED, "no job '" + name + "' in this cluster; 'albm ckpt ls' lists them"));
        return access.job(spec.name());
    }
}
