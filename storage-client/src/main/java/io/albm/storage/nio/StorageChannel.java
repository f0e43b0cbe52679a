// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.LockOwner;
import io.albm.storage.RangeLock;
import io.albm.storage.fuse.InodeFileSystem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open. What is written is there for others, and stored on all its nodes, when the channel is closed, and
 * durable with its name after {@link #force}. Reads and writes at a given position run side by side; those at the channel's
 * own wait for each other. Closing waits for those that run. Locks hold among all clients of the cluster. Cannot be mapped.
 */
final class StorageChannel extends FileChannel {
    /** Bytes that go to the storage or come from it at a time: what it holds in memory is bounded per call. */
    private static final int MOST_BYTES = 1 << 20;

    /** Who waits for a lock lets others do something with the channel, such as closing it, so often. */
    private static final Duration LOCK_ROUND = Duration.ofMillis(500);

    private static final int PID = (int) ProcessHandle.current().pid();

    private final Session session;
    private final AlbmPath path;
    private final Place place;
    private final OpenMode mode;
    private final long inode;
    private final long handle;

    /** Whoever uses the handle reads; whoever gives it up writes. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private final Object positionLock = new Object();
    private long position;

    StorageChannel(Session session, AlbmPath path, Place place, OpenMode mode, long inode, long handle) {
        this.session = session;
        this.path = path;
        this.place = place;
        this.mode = mode;
        this.inode = inode;
        this.handle = handle;
    }

    /** Does something with the open file. An interrupt closes the channel, as the contract of channels wants it. */
    private <T> T run(Session.Operation<T> operation) throws IOException {
        try {
            return runOpen(operation);
        } catch (ClosedFileSystemException closedMeanwhile) {
            throw new AsynchronousCloseException();
        } catch (InterruptedIOException interrupted) {
            if (!Thread.currentThread().isInterrupted()) {
                throw interrupted;
            }
            close();
            ClosedByInterruptException closed = new ClosedByInterruptException();
            closed.initCause(interrupted);
            throw closed;
        }
    }

    private <T> T runOpen(Session.Operation<T> operation) throws IOException {
        use.readLock().lock();
        try {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            return session.ask(path, operation);
        } finally {
            use.readLock().unlock();
        }
    }

    private void checkReadable() throws ClosedChannelException {
        checkOpen();
        if (!mode.reads()) {
            throw new NonReadableChannelException();
        }
    }

    private void checkWritable() throws ClosedChannelException {
        checkOpen();
        if (!mode.writes()) {
            throw new NonWritableChannelException();
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private static long checkOffset(long offset, String what) {
        if (offset < 0) {
            throw new IllegalArgumentException(what + " " + offset + ": expected 0 or more");
        }
        return offset;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        checkReadable();
        synchronized (positionLock) {
            int count = readAt(target, position);
            position += Math.max(count, 0);
            return count;
        }
    }

    @Override
    public int read(ByteBuffer target, long at) throws IOException {
        checkOffset(at, "position");
        checkReadable();
        return readAt(target, at);
    }

    private int readAt(ByteBuffer target, long at) throws IOException {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("a buffer to read into is read-only");
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        ByteBuffer part = target.slice(target.position(), Math.min(target.remaining(), MOST_BYTES));
        int count = run(files -> {
            files.read(inode, handle, at, part);
            return part.position();
        });
        target.position(target.position() + count);
        return count == 0 ? -1 : count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        checkReadable();
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            while (targets[i].hasRemaining()) {
                int count = read(targets[i]);
                if (count < 0) {
                    return total == 0 ? -1 : total;
                }
                total += count;
            }
        }
        return total;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        checkWritable();
        synchronized (positionLock) {
            if (mode.appends()) {
                position = size();
            }
            int count = source.remaining();
            int before = source.position();
            try {
                writeAt(source, position);
            } finally {
                position += source.position() - before;
            }
            return count;
        }
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
        checkOffset(at, "position");
        checkWritable();
        int count = source.remaining();
        writeAt(source, mode.appends() ? size() : at);
        return count;
    }

    /** Writes all of {@code source}, whose position says how far that went. */
    private void writeAt(ByteBuffer source, long at) throws IOException {
        long next = at;
        while (source.hasRemaining()) {
            ByteBuffer part = source.slice(source.position(), Math.min(source.remaining(), MOST_BYTES));
            int count = part.remaining();
            long offset = next;
            run(files -> writePart(files, offset, part));
            source.position(source.position() + count);
            next += count;
        }
    }

    private boolean writePart(InodeFileSystem files, long offset, ByteBuffer part)
            throws IOException, InterruptedException {
        files.write(inode, handle, offset, part, mode.flags());
        if (mode.syncs()) {
            files.fsync(inode, handle, false);
        }
        return true;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        checkWritable();
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += write(sources[i]);
        }
        return total;
    }

    @Override
    public long position() throws IOException {
        checkOpen();
        synchronized (positionLock) {
            return mode.appends() ? size() : position;
        }
    }

    @Override
    public StorageChannel position(long newPosition) throws IOException {
        checkOffset(newPosition, "position");
        checkOpen();
        synchronized (positionLock) {
            position = newPosition;
        }
        return this;
    }

    @Override
    public long size() throws IOException {
        return run(files -> files.getattr(inode, OptionalLong.of(handle)).size());
    }

    @Override
    public StorageChannel truncate(long size) throws IOException {
        checkOffset(size, "size");
        checkWritable();
        synchronized (positionLock) {
            if (size < size()) {
                run(files -> files.setattr(inode, AttributeChanges.size(size, handle)));
            }
            position = Math.min(position, size);
        }
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        run(files -> {
            files.fsync(inode, handle, !metaData);
            return true;
        });
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        checkOffset(from, "position");
        checkOffset(count, "count");
        checkReadable();
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, MOST_BYTES));
        long total = 0;
        while (total < count) {
            part.clear().limit((int) Math.min(part.capacity(), count - total));
            if (readAt(part, from + total) < 0) {
                return total;
            }
            int read = part.flip().remaining();
            int written = target.write(part);
            total += written;
            if (written < read) {
                return total;
            }
        }
        return total;
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        checkOffset(to, "position");
        checkOffset(count, "count");
        checkWritable();
        if (to > size()) {
            return 0;
        }
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, MOST_BYTES));
        long total = 0;
        while (total < count) {
            part.clear().limit((int) Math.min(part.capacity(), count - total));
            if (source.read(part) <= 0) {
                return total;
            }
            total += write(part.flip(), to + total);
        }
        return total;
    }

    @Override
    public MappedByteBuffer map(MapMode mapMode, long from, long length) {
        throw new UnsupportedOperationException(path + ": cannot be mapped; mount the storage for that");
    }

    /** Closing the channel, and an interrupt, end waiting; the latter leaves the channel open. */
    @Override
    public FileLock lock(long from, long length, boolean shared) throws IOException {
        return Objects.requireNonNull(lock(from, length, shared, true));
    }

    @Override
    public @Nullable FileLock tryLock(long from, long length, boolean shared) throws IOException {
        return lock(from, length, shared, false);
    }

    private @Nullable FileLock lock(long from, long length, boolean shared, boolean waits) throws IOException {
        StorageLock lock = new StorageLock(this, from, length, shared);
        if (shared) {
            checkReadable();
        } else {
            checkWritable();
        }
        boolean isTaken = false;
        session.locks().add(inode, lock);
        try {
            do {
                isTaken = take(lock, waits ? LOCK_ROUND : Duration.ZERO);
            } while (!isTaken && waits);
        } finally {
            if (!isTaken) {
                session.locks().remove(inode, lock);
            }
        }
        return isTaken ? lock : null;
    }

    private boolean take(StorageLock lock, Duration patience) throws IOException {
        RangeLock wanted = new RangeLock(owner(), lock.range(), !lock.isShared(), PID);
        try {
            return runOpen(files -> files.lock(inode, handle, wanted, patience));
        } catch (ClosedFileSystemException | ClosedChannelException closedMeanwhile) {
            throw new AsynchronousCloseException();
        } catch (InterruptedIOException interrupted) {
            throw Thread.currentThread().isInterrupted() ? new FileLockInterruptionException() : interrupted;
        }
    }

    /** Locks of two channels have nothing to do with each other, so that closing one ends none of another's. */
    private LockOwner owner() {
        return new LockOwner(LockOwner.Kind.POSIX, handle);
    }

    void release(StorageLock lock) throws IOException {
        run(files -> {
            files.unlock(inode, handle, owner(), lock.range());
            return true;
        });
        session.locks().remove(inode, lock);
    }

    /** Stores what was written. */
    @Override
    protected void implCloseChannel() throws IOException {
        use.writeLock().lock();
        try {
            session.closed(this);
            session.release(path, files -> {
                try {
                    if (mode.deletesOnClose()) {
                        delete(files);
                    }
                } finally {
                    files.release(inode, handle);
                }
            });
        } finally {
            session.locks().removeAll(inode, this);
            use.writeLock().unlock();
        }
    }

    private void delete(InodeFileSystem files) throws IOException, InterruptedException {
        try {
            if (files.lookup(place.parent(), place.name()).inode() == inode) {
                files.unlink(place.parent(), place.name());
            }
        } catch (IOException failure) {
            if (!(Failures.of(failure, path.toString(), null) instanceof NoSuchFileException)) {
                throw failure;
            }
        }
    }
}
