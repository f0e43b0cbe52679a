// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.FileInfo;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.FileMode;
import java.time.Instant;

/** The attributes that files and directories show. The storage keeps no owners or permissions: all is root's, for all to read. */
final class Shown {
    /** What stands for the number of a name that the kernel has not looked up. */
    static final long UNKNOWN_INODE = 0xffffffffL;

    private static final int FILE = FileMode.REGULAR | 0644;
    private static final int DIRECTORY = FileMode.DIRECTORY | 0755;

    private final Instant mounted = Instant.now();

    Attributes file(FileInfo file) {
        return attributes(UNKNOWN_INODE, file.length(), file.created(), FILE, 1);
    }

    Attributes file(FileWriting writing) {
        return attributes(UNKNOWN_INODE, writing.length(), writing.started(), FILE, 1);
    }

    Attributes directory(long inode) {
        return attributes(inode, 0, mounted, DIRECTORY, 2);
    }

    Attributes withInode(Attributes file, long inode) {
        return attributes(inode, file.size(), file.modified(), file.mode(), file.links());
    }

    private static Attributes attributes(long inode, long size, Instant time, int mode, int links) {
        return new Attributes(inode, size, size, time, time, time, mode, links, 0, 0, 0);
    }
}
