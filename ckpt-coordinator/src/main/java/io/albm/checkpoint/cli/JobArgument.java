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

    /** The job's records, which may not be there. */
    JobStore named(JobAccess access) {
        try {
            JobSpec.requireName(name);
        } catch (IllegalArgumentException e) {
            throw unknown();
        }
        return access.job(name);
    }

    /** The job's records. */
    JobStore store(JobAccess access) {
        JobStore store = named(access);
        if (access.await(store.spec()).isEmpty()) {
            throw unknown();
        }
        return store;
    }

    CliException unknown() {
        return new CliException(ExitCode.FAILED, "no job '" + name + "' in this cluster; 'albm ckpt ls' lists them");
    }
}
