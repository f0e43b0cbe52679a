// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A file system whose files have numbers, as the kernel asks for it. Called by several threads at once, each of which may
 * block; {@link Thread#interrupt} reaches one whose caller no longer waits, and {@link InterruptedException} or
 * {@link java.io.InterruptedIOException} is then the answer {@link Errno#EINTR}.
 *
 * <p>Fails with {@link ErrnoException} where an errno is the answer; whatever else is thrown, errors too, becomes
 * {@link Errno#EIO} and a line in the log. Permissions and the sticky bit are the kernel's: it checks them by the
 * attributes. Operations that are not overridden give the errno for a file
 * system that lacks them.
 *
 * <p>An inode number names one file for good: it is not used again as long as the mount lives. It must be known from the
 * answer that names it until {@link #forget} has taken back all its lookups, even if the file has no name any more.
 */
public interface InodeFileSystem {
    /** The inode of the mount's top directory. */
    long ROOT = 1;

    /** The file system is mounted; comes before all else. */
    default void begin(KernelCache kernel) {}

    /** The file of a name; counts as a lookup. Fails with {@link Errno#ENOENT}, which the kernel may remember. */
    Attributes lookup(long parent, String name) throws IOException, InterruptedException;

    /** The kernel forgets that many lookups of an inode. Must not fail. */
    default void forget(long inode, long lookups) {}

    Attributes getattr(long inode, OptionalLong handle) throws IOException, InterruptedException;

    /** Changes attributes, and gives those after the change. */
    default Attributes setattr(long inode, AttributeChange change) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EOPNOTSUPP);
    }

    /** The bytes of a symbolic link's target. */
    default byte[] readlink(long inode) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EINVAL);
    }

    /** Counts as a lookup. */
    default Attributes symlink(Caller caller, long parent, String name, byte[] target)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    /**
     * Makes a file, device, pipe or socket; counts as a lookup.
     *
     * @param mode type and permissions, less the caller's umask
     */
    default Attributes mknod(Caller caller, long parent, String name, int mode, int device)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    /** Counts as a lookup. */
    default Attributes mkdir(Caller caller, long parent, String name, int mode)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    default void unlink(long parent, String name) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    default void rmdir(long parent, String name) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    default void rename(long parent, String name, long newParent, String newName, RenameMode mode)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EOPNOTSUPP);
    }

    /** Gives a file one more name; counts as a lookup. */
    default Attributes link(long inode, long newParent, String newName) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EPERM);
    }

    /** Opens a file, and truncates it if the flags say so. */
    Opened open(long inode, OpenFlags flags) throws IOException, InterruptedException;

    /** Makes and opens a file in one step; counts as a lookup. */
    default Created create(Caller caller, long parent, String name, int mode, OpenFlags flags)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EROFS);
    }

    /**
     * Reads into {@code target} until it is full or the file ends. The buffer belongs to this thread and to this call.
     */
    void read(long inode, long handle, long offset, ByteBuffer target) throws IOException, InterruptedException;

    /**
     * Writes all of {@code source}, which belongs to this thread and to this call.
     *
     * @param offset where; the end of the file as the caller knows it if {@code flags} say that it is appended
     * @param flags those of the handle by now, and whether the set-id bits go, see {@link FileMode#withoutSetIds}
     */
    default void write(long inode, long handle, long offset, ByteBuffer source, OpenFlags flags)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.EROFS);
    }

    /**
     * A descriptor of the open file is closed; what this throws is what {@code close(2)} says.
     *
     * @param owner whose locks on the file end, however it came by them
     */
    default void flush(long inode, long handle, LockOwner owner) throws IOException, InterruptedException {}

    /** The last descriptor is gone, and with it what was locked by this handle alone. Nobody hears of a failure. */
    default void release(long inode, long handle) throws IOException, InterruptedException {}

    /**
     * Makes what was written durable.
     *
     * @param dataOnly attributes that reading does not need may wait
     */
    void fsync(long inode, long handle, boolean dataOnly) throws IOException, InterruptedException;

    /** Opens a directory for reading, and gives a handle for it. */
    default long opendir(long inode) throws IOException, InterruptedException {
        return 0;
    }

    /** Gives the entries behind {@code cookie}, 0 for the start, until the sink takes no more. */
    void readdir(long inode, long handle, long cookie, DirectorySink sink) throws IOException, InterruptedException;

    default void releasedir(long inode, long handle) throws IOException, InterruptedException {}

    /** Makes the names in a directory durable. */
    void fsyncdir(long inode, long handle, boolean dataOnly) throws IOException, InterruptedException;

    Space statfs() throws IOException, InterruptedException;

    default void setxattr(long inode, String name, byte[] value, XattrMode mode)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /** Fails with {@link Errno#ENODATA} if there is none of that name. */
    default byte[] getxattr(long inode, String name) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    default List<String> listxattr(long inode) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    default void removexattr(long inode, String name) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /**
     * Sets room aside, or gives it back.
     *
     * @param keepsSize a range past the end does not make the file longer
     */
    default void fallocate(long inode, long handle, long offset, long length, Allocation allocation, boolean keepsSize)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /**
     * Finds data or a hole from an offset on. Without it the kernel takes a file for data up to its end.
     *
     * @param hole whether a hole is looked for
     */
    default long seek(long inode, long handle, long offset, boolean hole) throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /** Whether locks are this file system's. Otherwise they are the kernel's, and hold among the processes of the mount. */
    default boolean hasLocks() {
        return false;
    }

    /**
     * Takes a lock on a file, in place of what its owner had locked there. Fails with {@link Errno#ENOLCK} if there are too many.
     *
     * @param patience how long it may wait for others to give theirs back
     * @return whether it was taken
     */
    default boolean lock(long inode, long handle, RangeLock lock, Duration patience)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /** Gives back what an owner has locked in a range, if anything. */
    default void unlock(long inode, long handle, LockOwner owner, LockRange range)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /** A lock of another owner that is in the way of one that is wanted. Its {@code pid} is 0 if it is not of this mount. */
    default Optional<RangeLock> blocker(long inode, long handle, RangeLock wanted)
            throws IOException, InterruptedException {
        throw new ErrnoException(Errno.ENOSYS);
    }

    /**
     * The file system is unmounted and no operation runs any more. Files and directories that the kernel has not released by
     * then will not be.
     *
     * @throws IOException if what was answered may not be kept
     */
    default void end() throws IOException, InterruptedException {}
}
