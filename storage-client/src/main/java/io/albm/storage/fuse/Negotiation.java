// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * The first request and its answer: which version is spoken, and which of the kernel's offers are taken. What is not taken
 * the kernel does itself: access checks, appending, the caller's umask.
 */
final class Negotiation {
    /** Bytes of a read or write: as many pages as the kernel allows by default. */
    static final int MAX_TRANSFER_BYTES = 1 << 20;

    private static final int PAGE_BYTES = 4096;

    /** A write with its headers, on whole pages. The kernel refuses to fill less. */
    static final int BUFFER_BYTES = MAX_TRANSFER_BYTES + PAGE_BYTES;

    /** Bytes that the kernel reads ahead at most. */
    static final int READ_AHEAD_BYTES = MAX_TRANSFER_BYTES;

    private static final int MAJOR = 7;

    /** Linux 5.4; all structures that are read and written here are since then as they are. */
    private static final int MINOR = 31;

    private static final int ASYNC_READ = 1;
    private static final int POSIX_LOCKS = 1 << 1;
    private static final int ATOMIC_O_TRUNC = 1 << 3;
    private static final int BIG_WRITES = 1 << 5;
    private static final int FLOCK_LOCKS = 1 << 10;
    private static final int DO_READDIRPLUS = 1 << 13;
    private static final int READDIRPLUS_AUTO = 1 << 14;
    private static final int ASYNC_DIO = 1 << 15;
    private static final int PARALLEL_DIROPS = 1 << 18;
    private static final int MAX_PAGES = 1 << 22;
    private static final int CACHE_SYMLINKS = 1 << 23;

    /** The kernel says when set-id bits must go, and does not ask for an attribute before each write. */
    private static final int HANDLE_KILLPRIV_V2 = 1 << 28;

    private static final int TAKEN = ASYNC_READ
            | ATOMIC_O_TRUNC
            | BIG_WRITES
            | DO_READDIRPLUS
            | READDIRPLUS_AUTO
            | ASYNC_DIO
            | PARALLEL_DIROPS
            | MAX_PAGES
            | CACHE_SYMLINKS
            | HANDLE_KILLPRIV_V2;

    private static final int LOCKS = POSIX_LOCKS | FLOCK_LOCKS;

    /** Requests that the kernel sends without anybody waiting for each: read-ahead. */
    private static final int MAX_BACKGROUND = 64;

    private static final int CONGESTION = MAX_BACKGROUND * 3 / 4;
    private static final int ANSWER_BYTES = 64;
    private static final int UNUSED_BYTES = 28;

    private Negotiation() {}

    /**
     * Answers {@code FUSE_INIT}.
     *
     * @param locks whether locks are the file system's; otherwise the kernel does them, too
     * @throws ErrnoException with {@link Errno#EPROTO} if the kernel speaks no version that is spoken here
     */
    static void answer(RequestReader in, ReplyWriter out, boolean locks) throws ErrnoException {
        int major = in.u32();
        int minor = in.u32();
        if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
            throw new ErrnoException(Errno.EPROTO);
        }
        if (major > MAJOR) {
            out.u32(MAJOR).u32(MINOR).zeros(ANSWER_BYTES - 2 * Integer.BYTES);
            return;
        }
        int readAhead = Math.min(in.u32(), READ_AHEAD_BYTES);
        int flags = in.u32() & (locks ? TAKEN | LOCKS : TAKEN);
        out.u32(MAJOR).u32(MINOR).u32(readAhead).u32(flags);
        out.u16(MAX_BACKGROUND).u16(CONGESTION).u32(MAX_TRANSFER_BYTES);
        out.u32(1).u16(MAX_TRANSFER_BYTES / PAGE_BYTES).u16(0).zeros(Integer.BYTES + UNUSED_BYTES);
    }
}
