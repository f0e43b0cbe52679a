// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether this process may mount: what the tests with real mounts take. */
final class Mounting {
    static final String REASON =
            "mounting takes /dev/fuse and CAP_SYS_ADMIN, which root has outside of most containers";

    private static final int CAP_SYS_ADMIN = 21;

    private Mounting() {}

    @SuppressWarnings("unused") // named by the conditions of tests
    static boolean isPossible() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(Path.of("/dev/fuse"))
                && Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("CapEff:"))
                        .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                        .anyMatch(capabilities -> (capabilities >> CAP_SYS_ADMIN & 1) == 1);
    }
}
