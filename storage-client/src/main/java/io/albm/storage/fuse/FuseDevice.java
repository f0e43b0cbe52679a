// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * {@code /dev/fuse}, open: where the kernel's requests come from and the answers go to. Closing it while it is mounted makes
 * the mount dead.
 */
final class FuseDevice implements AutoCloseable {
    private static final String PATH = "/dev/fuse";

    private final int descriptor;
    /** Who sends reads; the number may be another file's when it is closed. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private boolean closed;

    private FuseDevice(int descriptor) {
        this.descriptor = descriptor;
    }

    static FuseDevice open() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int opened = new SystemCalls(arena).open(PATH, SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC);
            if (opened < 0) {
                throw new FileSystemException(
                        PATH, null, Errno.text(-opened) + "; expected a kernel with FUSE (modprobe fuse)");
            }
            return new FuseDevice(opened);
        }
    }

    int descriptor() {
        return descriptor;
    }

    /**
     * Sends what is in a buffer, unless this is closed. May wait for the kernel.
     *
     * @return 0 or {@code -errno}
     */
    int send(ByteBuffer message) {
        use.readLock().lock();
        try (Arena arena = Arena.ofConfined()) {
            if (closed) {
                return -Errno.ENODEV.code();
            }
            MemorySegment bytes = arena.allocate(message.remaining(), Long.BYTES);
            bytes.copyFrom(MemorySegment.ofBuffer(message));
            return (int) Math.min(0, new SystemCalls(arena).write(descriptor, bytes, bytes.byteSize()));
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public void close() {
        use.writeLock().lock();
        try (Arena arena = Arena.ofConfined()) {
            closed = true;
            new SystemCalls(arena).close(descriptor);
        } finally {
            use.writeLock().unlock();
        }
    }
}
