// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.FileSystemException;

/**
 * {@code /dev/fuse}, open: where the kernel's requests come from and the answers go to. Closing it while it is mounted makes
 * the mount dead.
 */
final class FuseDevice implements AutoCloseable {
    private static final String PATH = "/dev/fuse";

    private final int descriptor;

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

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            new SystemCalls(arena).close(descriptor);
        }
    }
}
