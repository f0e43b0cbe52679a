// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Says in the terms of {@code java.nio.file} why an operation failed, and with which file. */
final class Failures {
    private Failures() {}

    /** @param other a second file that the operation is about */
    static IOException of(IOException failure, String file, @Nullable String other) {
        return switch (failure) {
            case ErrnoException refusal -> refused(refusal.errno(), file, other);
            case FileSystemException said -> said;
            case ClosedChannelException said -> said;
            case InterruptedIOException said -> said;
            default -> caused(failure, file, other);
        };
    }

    private static IOException refused(Errno errno, String file, @Nullable String other) {
        return switch (errno) {
            case ENOENT -> new NoSuchFileException(file);
            case EEXIST -> new FileAlreadyExistsException(other == null ? file : other);
            case ENOTEMPTY -> new DirectoryNotEmptyException(other == null ? file : other);
            case ENOTDIR -> new NotDirectoryException(other == null ? file : other);
            case EACCES, EPERM -> new AccessDeniedException(file, other, null);
            default -> new FileSystemException(file, other, reason(errno));
        };
    }

    private static String reason(Errno errno) {
        return switch (errno) {
            case EBUSY -> "is the root, which stays";
            case EISDIR -> "is a directory";
            case EINVAL -> "is no name, or a directory is to be moved into itself";
            case EMLINK -> "has as many names as a file may have";
            case ENAMETOOLONG -> "a name may have 255 bytes, a path 1024";
            case ENOSPC -> "no room is left in the storage or in its file table; remove files or add storage nodes";
            case ENOLCK -> "there are as many locks as there may be; give some back";
            case ENODATA -> "has no such attribute";
            case EOPNOTSUPP -> "the storage does not keep this kind of attribute";
            case ESTALE -> "was removed or replaced by another while it was in use";
            default -> errno.name();
        };
    }

    private static IOException caused(IOException failure, String file, @Nullable String other) {
        FileSystemException named = new FileSystemException(file, other, failure.getMessage());
        named.initCause(failure);
        return named;
    }
}
