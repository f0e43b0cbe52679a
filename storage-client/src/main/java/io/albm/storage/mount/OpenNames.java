// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.TableCommand;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.util.OptionalLong;

/** Takes names away, of files that may be open here, and keeps those that are. Thread-safe. */
final class OpenNames {
    private final Answers answers;
    private final OpenFiles open;
    private final Inodes inodes;

    OpenNames(Answers answers, OpenFiles open, Inodes inodes) {
        this.answers = answers;
        this.open = open;
        this.inodes = inodes;
    }

    void unlink(long parent, String name) throws IOException, InterruptedException {
        long inode = inodes.lookup(parent, name).number();
        open.remove(inode, keep -> new TableCommand.Unlink(parent, name, keep));
    }

    void rename(long parent, String name, long newParent, String newName, TableCommand.Renaming how)
            throws IOException, InterruptedException {
        OptionalLong replaced = how == TableCommand.Renaming.REPLACE ? find(newParent, newName) : OptionalLong.empty();
        if (replaced.isPresent()) {
            open.remove(
                    replaced.getAsLong(), keep -> new TableCommand.Rename(parent, name, newParent, newName, how, keep));
        } else {
            open.free(answers.ask(new TableCommand.Rename(parent, name, newParent, newName, how, false)));
        }
    }

    private OptionalLong find(long parent, String name) throws IOException, InterruptedException {
        try {
            return OptionalLong.of(inodes.lookup(parent, name).number());
        } catch (ErrnoException absent) {
            if (absent.errno() != Errno.ENOENT) {
                throw absent;
            }
            return OptionalLong.empty();
        }
    }
}
