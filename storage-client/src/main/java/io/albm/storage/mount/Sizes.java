// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.StripedFiles;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.util.OptionalLong;

/** Sizes of files, and the room that they take. Thread-safe. */
final class Sizes {
    /** Setting more than this aside asks the nodes for their room first. */
    private static final long SMALL_GROWTH = 64 << 20;

    private final StripedFiles files;
    private final Answers answers;
    private final OpenFiles open;

    Sizes(StripedFiles files, Answers answers, OpenFiles open) {
        this.files = files;
        this.answers = answers;
        this.open = open;
    }

    /**
     * Cuts a file off, or makes it longer by zeros. By a handle, the file is stored when that is closed; otherwise now.
     *
     * @return whether that changed the size
     */
    boolean resize(long inode, long size, OptionalLong by) throws IOException, InterruptedException {
        if (by.isPresent()) {
            return open.get(by.getAsLong()).file().resize(size);
        }
        OpenFiles.Handle handle = open.open(inode, true);
        try {
            boolean changed = handle.file().resize(size);
            handle.file().save();
            return changed;
        } finally {
            open.close(handle.number());
        }
    }

    /** Finds out whether there is room for a file up to an offset, and makes it that long unless it is to keep its size. */
    void reserve(OpenFile file, long end, boolean keepsSize) throws IOException, InterruptedException {
        checkRoom(file, end);
        if (!keepsSize && end > file.size()) {
            file.resize(end);
        }
    }

    private void checkRoom(OpenFile file, long size) throws IOException, InterruptedException {
        long growth = size - file.size();
        if (growth > SMALL_GROWTH && growth > answers.await(files.space()).free()) {
            throw new ErrnoException(Errno.ENOSPC);
        }
    }
}
