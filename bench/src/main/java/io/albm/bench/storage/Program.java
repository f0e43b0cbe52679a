// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program of the load, in a process of its own: it says in one line why it failed, with the kernel's word for it. */
@FunctionalInterface
interface Program {
    /** Does its work. */
    void run() throws IOException, InterruptedException;

    /** A program that is asked what to do, again and again. */
    @FunctionalInterface
    interface Asked {
        /**
         * Does what is asked.
         *
         * @param question words
         */
        Tally answer(List<String> question) throws IOException;
    }

    /** Answers the lines of the standard input on the standard output, until it ends. */
    static void answer(Asked asked) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(asked.answer(List.of(line.split(" ", -1))));
        }
    }

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
