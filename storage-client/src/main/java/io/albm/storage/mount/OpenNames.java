// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;

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
        take(inodes.lookup(parent, name).number(), keep -> new TableCommand.Unlink(parent, name, keep));
    }

    void rename(long parent, String name, long newParent, String newName, TableCommand.Renaming how)
            throws IOException, InterruptedException {
        NameChange renaming = keep -> new TableCommand.Rename(parent, name, newParent, newName, how, keep);
        OptionalLong replaced =
                how == TableCommand.Renaming.REPLACE ? ifThere(newParent, newName) : OptionalLong.empty();
        if (replaced.isPresent()) {
            take(replaced.getAsLong(), renaming);
        } else {
            left(answers.ask(renaming.command(false)), false);
        }
    }

    /** What takes a name of a file away. */
    @FunctionalInterface
    private interface NameChange {
        TableRequest<TableAnswer.Freed> command(boolean keep);
    }

    private void take(long inode, NameChange change) throws IOException, InterruptedException {
        TableAnswer.Freed freed;
        boolean keep;
        Lock leaving = open.locks().leaving(inode);
        leaving.lockInterruptibly();
        try {
            keep = open.find(inode).isPresent();
            freed = answers.ask(change.command(keep));
        } finally {
            leaving.unlock();
        }
        left(freed, keep);
    }

    private OptionalLong ifThere(long parent, String name) throws IOException, InterruptedException {
        try {
            return OptionalLong.of(inodes.lookup(parent, name).number());
        } catch (ErrnoException absent) {
            if (absent.errno() != Errno.ENOENT) {
                throw absent;
            }
            return OptionalLong.empty();
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
