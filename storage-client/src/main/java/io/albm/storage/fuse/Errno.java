// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** What a system call that fails says, with the numbers of Linux (asm-generic, so those of x86-64 and of AArch64). */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EBUSY(16),
    EEXIST(17),
    EXDEV(18),
    ENODEV(19),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    EFBIG(27),
    ENOSPC(28),
    EROFS(30),
    EMLINK(31),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOLCK(37),
    ENOSYS(38),
    ENOTEMPTY(39),
    ENODATA(61),
    EPROTO(71),
    EILSEQ(84),
    EOPNOTSUPP(95),
    ENOTCONN(107),
    ETIMEDOUT(110),
    ESTALE(116);

    private final int code;

    Errno(int code) {
        this.code = code;
    }

    /** The number, positive. */
    public int code() {
        return code;
    }

    /** How an error of a system call reads: its name if it is known here. */
    static String text(int code) {
        for (Errno errno : values()) {
            if (errno.code == code) {
                return errno.name();
            }
        }
        return "errno " + code;
    }
}
