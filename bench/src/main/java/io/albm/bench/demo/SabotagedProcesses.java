// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import java.io.IOException;
import java.nio.file.Path;

/** Leaves a process which belongs to the demo; the demo ends it after it was found. */
final class SabotagedProcesses {
    private static final String LONGER_THAN_ANY_DEMO = "600";

    private SabotagedProcesses() {}

    static void leaveOne(Path directory) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sleep", LONGER_THAN_ANY_DEMO);
        builder.environment().put(LeftBehind.VARIABLE, directory.toString());
        builder.start();
    }
}
