// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.nio.file.Path;
import java.util.List;

/**
 * A file system that takes part.
 *
 * @param name as in the report
 * @param kind how programs reach it
 * @param location a directory, or for {@link Kind#NFS} a URL
 * @param enter what is put before a command that shall see it
 */
record Volume(String name, Kind kind, String location, List<String> enter) {
    Volume {
        enter = List.copyOf(enter);
    }

    /** How programs reach it. */
    enum Kind {
        /** A directory of the disk that all others keep their files on. */
        DISK,
        /** Such a directory, whose disk is written past the page cache. */
        DIRECT_DISK,
        /** A mount of its own. */
        MOUNT,
        /** By a client library, where the kernel has no client. */
        NFS
    }

    /** A mount that is seen from there alone. */
    static Volume mount(String name, Path directory, List<String> enter) {
        return new Volume(name, Kind.MOUNT, directory.toString(), enter);
    }

    /** Whether it has files for any program. */
    boolean hasFiles() {
        return kind != Kind.NFS;
    }

    /** A file in it. */
    String file(String file) {
        return location + "/" + file;
    }
}
