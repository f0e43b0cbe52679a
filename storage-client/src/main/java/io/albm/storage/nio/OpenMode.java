// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.albm.storage.fuse.OpenFlags;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * How a file is opened.
 *
 * @param creates a file that is not there is made
 * @param createsNew a file that is there is an error
 * @param syncs each write is durable when it returns
 * @param follows a symbolic link is followed
 */
record OpenMode(
        boolean reads,
        boolean writes,
        boolean appends,
        boolean truncates,
        boolean creates,
        boolean createsNew,
        boolean deletesOnClose,
        boolean syncs,
        boolean follows) {
    private static final int O_RDWR = 2;
    private static final int O_EXCL = 0200;
    private static final int O_TRUNC = 01000;

    /**
     * @throws IllegalArgumentException if options contradict each other
     * @throws UnsupportedOperationException if one is not known
     */
    static OpenMode of(Set<? extends OpenOption> options) {
        for (OpenOption option : options) {
            if (!(option instanceof StandardOpenOption) && !(option instanceof LinkOption)) {
                throw new UnsupportedOperationException("option " + option + ": expected one of StandardOpenOption");
            }
        }
        boolean appends = options.contains(APPEND);
        boolean writes = appends || options.contains(WRITE);
        if (appends && (options.contains(READ) || options.contains(TRUNCATE_EXISTING))) {
            throw new IllegalArgumentException(
                    "options " + options + ": APPEND goes neither with READ nor with" + " TRUNCATE_EXISTING");
        }
        return new OpenMode(
                !writes || options.contains(READ),
                writes,
                appends,
                writes && options.contains(TRUNCATE_EXISTING),
                writes && (options.contains(CREATE) || options.contains(CREATE_NEW)),
                writes && options.contains(CREATE_NEW),
                options.contains(DELETE_ON_CLOSE),
                writes && (options.contains(SYNC) || options.contains(DSYNC)),
                !options.contains(NOFOLLOW_LINKS) && !(writes && options.contains(CREATE_NEW)));
    }

    OpenFlags flags() {
        int bits = (writes ? O_RDWR : 0) | (createsNew ? O_EXCL : 0) | (truncates ? O_TRUNC : 0);
        return new OpenFlags(bits, false);
    }
}
