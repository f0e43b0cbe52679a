// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.albm.core.file.DirectOption;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Reads files past the kernel's page cache, so that main memory holds a document once: in our cache, whose policy knows
 * which are wanted, and not a second time in the kernel's, which does not. Such reads must begin, end and land on
 * multiples of the file system's block: they go into a buffer of their own, and from there to where they are wanted.
 *
 * <p>Thread-safe. At most {@value #AT_ONCE} read at once, which bounds the buffers to 8 MiB; one more waits.
 * Buffers are large, because a disk reads on without a seek.
 */
public final class DirectReads {
    private static final int AT_ONCE = 8;
    private static final int BUFFER_BYTES = 1 << 20;

    private final OpenOption option = DirectOption.get();
    private final int block;
    private final BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(AT_ONCE);

    /** For the files of that directory. */
    DirectReads(Path root) throws IOException {
        block = Math.toIntExact(Files.getFileStore(root).getBlockSize());
        for (int i = 0; i < AT_ONCE; i++) {
            buffers.add(ByteBuffer.allocateDirect(BUFFER_BYTES + block).alignedSlice(block));
        }
    }

    /** What a file must be opened with. */
    OpenOption openOption() {
        return option;
    }

    /**
     * Appends at most {@code bytes} of a file.
     *
     * @return how many, 0 at its end
     */
    int read(FileChannel file, ByteBuf into, long position, int bytes) throws IOException {
        ByteBuffer buffer = take();
        try {
            long from = position / block * block;
            int skipped = (int) (position - from);
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, roundedUp(skipped + (long) bytes)));
            int read = file.read(buffer, from) - skipped;
            if (read <= 0) {
                return 0;
            }
            int wanted = Math.min(read, bytes);
            into.writeBytes(buffer.clear().position(skipped).limit(skipped + wanted));
            return wanted;
        } finally {
            buffers.add(buffer);
        }
    }

    private long roundedUp(long bytes) {
        return (bytes + block - 1) / block * block;
    }

    private ByteBuffer take() throws IOException {
        try {
            return buffers.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a buffer");
        }
    }
}
