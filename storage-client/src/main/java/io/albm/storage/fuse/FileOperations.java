// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import io.albm.storage.LockOwner;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The requests about open files and directories. */
final class FileOperations {
    private static final int OPEN_KILLS_SET_IDS = 1;
    private static final int FOPEN_DIRECT_IO = 1;
    private static final int FOPEN_KEEP_CACHE = 1 << 1;
    private static final int WRITE_KILLS_SET_IDS = 1 << 2;
    private static final int DATA_ONLY = 1;
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int ZERO_RANGE = 16;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;

    private final InodeFileSystem files;

    FileOperations(InodeFileSystem files) {
        this.files = files;
    }

    static OpenFlags flags(int flags, int openFlags) {
        return new OpenFlags(flags, (openFlags & OPEN_KILLS_SET_IDS) != 0);
    }

    static void opened(Opened opened, ReplyWriter out) {
        int flags = (opened.direct() ? FOPEN_DIRECT_IO : 0) | (opened.keepsCache() ? FOPEN_KEEP_CACHE : 0);
        out.u64(opened.handle()).u32(flags).u32(0);
    }

    void open(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        int flags = in.u32();
        opened(files.open(in.node(), flags(flags, in.u32())), out);
    }

    void read(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        long handle = in.u64();
        long offset = in.offset();
        ByteBuffer room = out.room(in.u32());
        files.read(in.node(), handle, offset, room);
        out.fill(room);
    }

    void write(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        long handle = in.u64();
        long offset = in.offset();
        int size = in.u32();
        boolean killSetIds = (in.u32() & WRITE_KILLS_SET_IDS) != 0;
        in.skip(Long.BYTES);
        OpenFlags flags = new OpenFlags(in.u32(), killSetIds);
        in.skip(Integer.BYTES);
        files.write(in.node(), handle, offset, in.slice(size), flags);
        out.u32(size).u32(0);
    }

    void flush(RequestReader in) throws IOException, InterruptedException {
        long handle = in.u64();
        in.skip(2 * Integer.BYTES);
        files.flush(in.node(), handle, new LockOwner(LockOwner.Kind.POSIX, in.u64()));
    }

    void release(RequestReader in) throws IOException, InterruptedException {
        files.release(in.node(), in.u64());
    }

    void fsync(RequestReader in) throws IOException, InterruptedException {
        files.fsync(in.node(), in.u64(), (in.u32() & DATA_ONLY) != 0);
    }

    void opendir(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        opened(Opened.closeToOpen(files.opendir(in.node())), out);
    }

    void readdir(RequestReader in, ReplyWriter out, boolean plus) throws IOException, InterruptedException {
        long handle = in.u64();
        long cookie = in.u64();
        out.limit(in.u32());
        files.readdir(in.node(), handle, cookie, new DirectoryReply(out, plus));
    }

    void releasedir(RequestReader in) throws IOException, InterruptedException {
        files.releasedir(in.node(), in.u64());
    }

    void fsyncdir(RequestReader in) throws IOException, InterruptedException {
        files.fsyncdir(in.node(), in.u64(), (in.u32() & DATA_ONLY) != 0);
    }

    void fallocate(RequestReader in) throws IOException, InterruptedException {
        long handle = in.u64();
        long offset = in.offset();
        long length = in.offset();
        int mode = in.u32();
        files.fallocate(in.node(), handle, offset, length, allocation(mode), (mode & KEEP_SIZE) != 0);
    }

    private static Allocation allocation(int mode) throws ErrnoException {
        return switch (mode & ~KEEP_SIZE) {
            case 0 -> Allocation.RESERVE;
            case PUNCH_HOLE -> Allocation.PUNCH_HOLE;
            case ZERO_RANGE -> Allocation.ZERO;
            default -> throw new ErrnoException(Errno.EOPNOTSUPP);
        };
    }

    void seek(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        long handle = in.u64();
        long offset = in.offset();
        int whence = in.u32();
        if (whence != SEEK_DATA && whence != SEEK_HOLE) {
            throw new ErrnoException(Errno.EINVAL);
        }
        out.u64(files.seek(in.node(), handle, offset, whence == SEEK_HOLE));
    }
}
