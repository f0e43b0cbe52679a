// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;

/** The requests that find, make, change and remove names. */
final class NameOperations {
    private static final int NO_REPLACE = 1;
    private static final int EXCHANGE = 2;

    private final InodeFileSystem files;

    NameOperations(InodeFileSystem files) {
        this.files = files;
    }

    void lookup(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        String name = in.name();
        Attributes found;
        try {
            found = files.lookup(in.node(), name);
        } catch (ErrnoException failure) {
            if (failure.errno() != Errno.ENOENT) {
                throw failure;
            }
            out.absence();
            return;
        }
        out.entry(found);
    }

    void forget(RequestReader in) throws IOException {
        files.forget(in.node(), in.u64());
    }

    void forgetAll(RequestReader in) throws IOException {
        int count = in.u32();
        in.skip(Integer.BYTES);
        for (int next = 0; next < count; next++) {
            files.forget(in.u64(), in.u64());
        }
    }

    void symlink(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        String name = in.name();
        out.entry(files.symlink(in.caller(), in.node(), name, in.string()));
    }

    void readlink(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        out.bytes(files.readlink(in.node()));
    }

    void mknod(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        int mode = in.u32();
        int device = in.u32();
        in.skip(2 * Integer.BYTES);
        out.entry(files.mknod(in.caller(), in.node(), in.name(), mode, device));
    }

    void mkdir(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        int mode = in.u32() | FileMode.DIRECTORY;
        in.skip(Integer.BYTES);
        out.entry(files.mkdir(in.caller(), in.node(), in.name(), mode));
    }

    void create(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        int flags = in.u32();
        int mode = in.u32();
        in.skip(Integer.BYTES);
        OpenFlags open = FileOperations.flags(flags, in.u32());
        Created created = files.create(in.caller(), in.node(), in.name(), mode, open);
        out.entry(created.attributes());
        FileOperations.opened(created.opened(), out);
    }

    void unlink(RequestReader in) throws IOException, InterruptedException {
        files.unlink(in.node(), in.name());
    }

    void rmdir(RequestReader in) throws IOException, InterruptedException {
        files.rmdir(in.node(), in.name());
    }

    void link(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        long inode = in.u64();
        out.entry(files.link(inode, in.node(), in.name()));
    }

    void rename(RequestReader in) throws IOException, InterruptedException {
        rename(in, in.u64(), RenameMode.REPLACE);
    }

    void rename2(RequestReader in) throws IOException, InterruptedException {
        long newParent = in.u64();
        RenameMode mode = renameMode(in.u32());
        in.skip(Integer.BYTES);
        rename(in, newParent, mode);
    }

    private void rename(RequestReader in, long newParent, RenameMode mode) throws IOException, InterruptedException {
        String name = in.name();
        files.rename(in.node(), name, newParent, in.name(), mode);
    }

    private static RenameMode renameMode(int flags) throws ErrnoException {
        return switch (flags) {
            case 0 -> RenameMode.REPLACE;
            case NO_REPLACE -> RenameMode.NO_REPLACE;
            case EXCHANGE -> RenameMode.EXCHANGE;
            default -> throw new ErrnoException(Errno.EINVAL);
        };
    }
}
