// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.cli.ExitCode;
import java.io.IOException;

/** A program of the load, in a process of its own: it says in one line why it failed, with the kernel's word for it. */
@FunctionalInterface
interface Program {
    /** Does its work. */
    void run() throws IOException, InterruptedException;

    /** Runs it; returns the status with which its process ends. */
    static int status(Program program) {
        try {
            program.run();
            return ExitCode.DONE;
        } catch (IOException | InterruptedException e) {
            System.err.println(e.getMessage());
            return ExitCode.FAILED;
        }
    }
}
