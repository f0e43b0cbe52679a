// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Tools;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file system of others, as its packages and its manual make it. */
interface Peer {
    /** The volumes that it gives. */
    List<String> volumes();

    /** The programs that it takes. */
    List<String> programs();

    /** Debian's packages that have those. */
    String packages();

    /**
     * Starts it with its bricks on our disk.
     *
     * @param directory its own
     */
    List<Volume> start(ProcessGroup processes, Path directory) throws IOException;

    /** The line that says its version. */
    String version() throws IOException;

    /** The programs that are not on this machine. */
    default List<String> missing() {
        return programs().stream().filter(program -> !Tools.isOnPath(program)).toList();
    }
}
