// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import org.jspecify.annotations.Nullable;

/** The requests of the protocol that are served here; whatever else the kernel asks is answered with ENOSYS. */
enum Opcode {
    LOOKUP(1),
    FORGET(2),
    GETATTR(3),
    SETATTR(4),
    READLINK(5),
    SYMLINK(6),
    MKNOD(8),
    MKDIR(9),
    UNLINK(10),
    RMDIR(11),
    RENAME(12),
    LINK(13),
    OPEN(14),
    READ(15),
    WRITE(16),
    STATFS(17),
    RELEASE(18),
    FSYNC(20),
    SETXATTR(21),
    GETXATTR(22),
    LISTXATTR(23),
    REMOVEXATTR(24),
    FLUSH(25),
    INIT(26),
    OPENDIR(27),
    READDIR(28),
    RELEASEDIR(29),
    FSYNCDIR(30),
    GETLK(31),
    SETLK(32),
    SETLKW(33),
    CREATE(35),
    INTERRUPT(36),
    DESTROY(38),
    BATCH_FORGET(42),
    FALLOCATE(43),
    READDIRPLUS(44),
    RENAME2(45),
    LSEEK(46);

    private static final @Nullable Opcode[] BY_CODE = byCode();

    private final int code;

    Opcode(int code) {
        this.code = code;
    }

    private static @Nullable Opcode[] byCode() {
        @Nullable Opcode[] table = new @Nullable Opcode[LSEEK.code + 1];
        for (Opcode opcode : values()) {
            table[opcode.code] = opcode;
        }
        return table;
    }

    int code() {
        return code;
    }

    /** None for a number that is not served. */
    static @Nullable Opcode of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }

    /** Whether the kernel waits for an answer. */
    boolean isAnswered() {
        return this != FORGET && this != BATCH_FORGET;
    }
}
