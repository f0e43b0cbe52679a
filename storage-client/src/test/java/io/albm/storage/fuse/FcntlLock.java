// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.file.Path;

/** The locks of {@code fcntl(2)} and {@code flock(2)}. Each call gives 0 or {@code -errno}. */
final class FcntlLock {
    static final int READ = 0;
    static final int WRITE = 1;
    static final int UNLOCK = 2;

    static final int O_APPEND = 02000;

    static final int LOCK_SH = 1;
    static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;
    static final int LOCK_UN = 8;

    private static final int F_GETLK = 5;
    private static final int F_SETLK = 6;
    private static final int F_OFD_SETLK = 37;
    private static final int O_RDWR = 2;

    private FcntlLock() {}

    /** @param flags beside {@code O_RDWR} */
    static int open(Path path, int flags) {
        return (int) Libc.call("open64", path.toString(), O_RDWR | flags);
    }

    static long close(int file) {
        return Libc.call("close", file);
    }

    static long flock(int file, int how) {
        return Libc.call("flock", file, how);
    }

    /** @param length 0 for all from the start on */
    static long set(int file, int type, long start, long length) {
        return Libc.call("fcntl", file, F_SETLK, struct(type, start, length));
    }

    /** A lock of the open file description. */
    static long setOfd(int file, int type, long start, long length) {
        return Libc.call("fcntl", file, F_OFD_SETLK, struct(type, start, length));
    }

    /** The type of what is in the way of a lock. */
    static int get(int file, int type, long start, long length) {
        long[] asked = struct(type, start, length);
        long result = Libc.call("fcntl", file, F_GETLK, asked);
        return result < 0 ? (int) result : (int) (asked[0] & 0xffff);
    }

    /** {@code struct flock}; offsets are from the start of the file. */
    private static long[] struct(int type, long start, long length) {
        return new long[] {type, start, length, 0};
    }
}
