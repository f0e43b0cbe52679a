// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The requests about what is known of files, and of the file system. */
final class AttributeOperations {
    private static final int GETATTR_HANDLE = 1;
    private static final int MODE = 1;
    private static final int UID = 1 << 1;
    private static final int GID = 1 << 2;
    private static final int SIZE = 1 << 3;
    private static final int ACCESSED = 1 << 4;
    private static final int MODIFIED = 1 << 5;
    private static final int HANDLE = 1 << 6;
    private static final int CHANGED = 1 << 10;
    private static final int KILL_SET_IDS = 1 << 11;
    private static final int XATTR_CREATE = 1;
    private static final int XATTR_REPLACE = 2;
    private static final int SPARE_BYTES = 28;

    private final InodeFileSystem files;

    AttributeOperations(InodeFileSystem files) {
        this.files = files;
    }

    void getattr(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        boolean hasHandle = (in.u32() & GETATTR_HANDLE) != 0;
        in.skip(Integer.BYTES);
        long handle = in.u64();
        out.validAttributes(files.getattr(in.node(), hasHandle ? OptionalLong.of(handle) : OptionalLong.empty()));
    }

    void setattr(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        out.validAttributes(files.setattr(in.node(), change(in)));
    }

    /** {@code struct fuse_setattr_in}. Times that are to be now have been read from the clock by the kernel. */
    private static AttributeChange change(RequestReader in) throws ErrnoException {
        int valid = in.u32();
        in.skip(Integer.BYTES);
        long handle = in.u64();
        long size = in.u64();
        in.skip(Long.BYTES);
        long[] seconds = {in.u64(), in.u64(), in.u64()};
        Optional<Instant> accessed = time(valid & ACCESSED, seconds[0], in.u32());
        Optional<Instant> modified = time(valid & MODIFIED, seconds[1], in.u32());
        Optional<Instant> changed = time(valid & CHANGED, seconds[2], in.u32());
        int mode = in.u32() & FileMode.PERMISSIONS;
        in.skip(Integer.BYTES);
        OptionalInt uid = number(valid & UID, in.u32());
        OptionalInt gid = number(valid & GID, in.u32());
        return new AttributeChange(
                number(valid & MODE, mode),
                uid,
                gid,
                number(valid & SIZE, size),
                accessed,
                modified,
                changed,
                number(valid & HANDLE, handle),
                (valid & KILL_SET_IDS) != 0);
    }

    private static OptionalInt number(int valid, int value) {
        return valid == 0 ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static OptionalLong number(int valid, long value) {
        return valid == 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static Optional<Instant> time(int valid, long seconds, int nanos) throws ErrnoException {
        return valid == 0 ? Optional.empty() : Optional.of(RequestReader.instant(seconds, nanos));
    }

    void statfs(ReplyWriter out) throws IOException, InterruptedException {
        Space space = files.statfs();
        out.u64(space.blocks()).u64(space.freeBlocks()).u64(space.freeBlocks());
        out.u64(space.files()).u64(space.freeFiles());
        out.u32(space.blockBytes()).u32(RequestReader.MAX_NAME_BYTES).u32(space.blockBytes());
        out.zeros(SPARE_BYTES);
    }

    void setxattr(RequestReader in) throws IOException, InterruptedException {
        int size = in.u32();
        XattrMode mode = xattrMode(in.u32());
        String name = in.name();
        files.setxattr(in.node(), name, in.bytes(size), mode);
    }

    private static XattrMode xattrMode(int flags) throws ErrnoException {
        return switch (flags) {
            case 0 -> XattrMode.SET;
            case XATTR_CREATE -> XattrMode.CREATE;
            case XATTR_REPLACE -> XattrMode.REPLACE;
            default -> throw new ErrnoException(Errno.EINVAL);
        };
    }

    void getxattr(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        int size = in.u32();
        in.skip(Integer.BYTES);
        value(files.getxattr(in.node(), in.name()), size, out);
    }

    void listxattr(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String name : files.listxattr(in.node())) {
            names.writeBytes(name.getBytes(StandardCharsets.UTF_8));
            names.write(0);
        }
        value(names.toByteArray(), in.u32(), out);
    }

    /** The value, or its length if that is all that is asked for. */
    private static void value(byte[] value, int size, ReplyWriter out) throws ErrnoException {
        if (size == 0) {
            out.u32(value.length).u32(0);
        } else if (value.length > size) {
            throw new ErrnoException(Errno.ERANGE);
        } else {
            out.bytes(value);
        }
    }

    void removexattr(RequestReader in) throws IOException, InterruptedException {
        files.removexattr(in.node(), in.name());
    }
}
