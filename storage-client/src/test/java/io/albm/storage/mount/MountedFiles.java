// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a program does with files in the root directory of a mount; without the kernel. */
final class MountedFiles {
    static final long ROOT = InodeFileSystem.ROOT;
    static final Caller CALLER = new Caller(7, 8, 1);
    static final OpenFlags READ = new OpenFlags(0, false);
    static final OpenFlags WRITE = new OpenFlags(2, false);

    /** Too long for the file table. */
    static final String OLD = "old".repeat(2000);

    private MountedFiles() {}

    static Created created(StripedFileSystem by, String name) throws IOException, InterruptedException {
        return by.create(CALLER, ROOT, name, FileMode.REGULAR | 0644, WRITE);
    }

    static long stored(StripedFileSystem by, String name, String content) throws IOException, InterruptedException {
        Created created = created(by, name);
        long inode = created.attributes().inode();
        write(by, inode, created.opened().handle(), 0, content);
        close(by, inode, created.opened().handle());
        return inode;
    }

    static void write(StripedFileSystem by, long inode, long handle, long offset, String content)
            throws IOException, InterruptedException {
        by.write(inode, handle, offset, ByteBuffer.wrap(content.getBytes(UTF_8)), WRITE);
    }

    static void close(StripedFileSystem by, long inode, long handle) throws IOException, InterruptedException {
        by.flush(inode, handle, LocalStorage.OWNER);
        by.release(inode, handle);
    }

    static String read(StripedFileSystem by, long inode, long handle) throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(20_000);
        by.read(inode, handle, 0, target);
        return new String(target.array(), 0, target.position(), UTF_8);
    }

    static String content(StripedFileSystem by, long inode) throws IOException, InterruptedException {
        long handle = LocalStorage.open(by, inode, READ);
        try {
            return read(by, inode, handle);
        } finally {
            by.release(inode, handle);
        }
    }

    static boolean contentIs(String expected, StripedFileSystem by, long inode)
            throws IOException, InterruptedException {
        ByteBuffer found = ByteBuffer.allocate(expected.length() + 1);
        long handle = LocalStorage.open(by, inode, READ);
        by.read(inode, handle, 0, found);
        by.release(inode, handle);
        return found.flip().equals(ByteBuffer.wrap(expected.getBytes(UTF_8)));
    }

    static void assertFails(Errno errno, ThrowingCallable operation) {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(operation)
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(errno));
    }
}
