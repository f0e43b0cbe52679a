// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process as the kernel counts it. */
public final class ProcessMemory {
    private static final String RESIDENT = "VmRSS:";
    private static final long KIBIBYTE = 1024;

    private ProcessMemory() {}

    /** Bytes in memory now, shared libraries included. */
    public static long residentBytes(long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(RESIDENT))
                .mapToLong(line -> KIBIBYTE
                        * Long.parseLong(line.substring(RESIDENT.length())
                                .replace("kB", "")
                                .strip()))
                .findFirst()
                .orElseThrow(() -> new IOException(status + " tells no " + RESIDENT));
    }
}
