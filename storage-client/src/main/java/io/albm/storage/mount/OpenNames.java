// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;

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
        boolean keep = isOpen(parent, name);
        left(answers.ask(new TableCommand.Unlink(parent, name, keep)), keep);
    }

    void rename(long parent, String name, long newParent, String newName, TableCommand.Renaming how)
            throws IOException, InterruptedException {
        boolean keep = how == TableCommand.Renaming.REPLACE && isOpenIfThere(newParent, newName);
        left(answers.ask(new TableCommand.Rename(parent, name, newParent, newName, how, keep)), keep);
    }

    private boolean isOpen(long parent, String name) throws IOException, InterruptedException {
        return open.find(inodes.lookup(parent, name).number()).isPresent();
    }

    private boolean isOpenIfThere(long parent, String name) throws IOException, InterruptedException {
        try {
            return isOpen(parent, name);
        } catch (ErrnoException absent) {
            if (absent.errno() != Errno.ENOENT) {
                throw absent;
            }
            return false;
        }
    }

    private void left(TableAnswer.Freed freed, boolean kept) throws IOException, InterruptedException {
        open.free(freed);
        Inode inode = freed.inode();
        if (kept && inode != null && inode.links() == 0) {
            open.loseName(inode);
        }
    }
}
