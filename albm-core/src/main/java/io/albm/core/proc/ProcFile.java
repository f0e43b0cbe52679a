// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A kernel text file that is read again and again: opened once, read from offset 0 each time, into one buffer.
 *
 * <p>The kernel makes the content anew for every read at offset 0, so that opening, path look-up and closing (two
 * thirds of the cost of a small file) are paid once. A read allocates nothing unless the file has outgrown the buffer,
 * which doubles up to {@value #MAX_BYTES} bytes; a longer file is refused. Not thread-safe.
 */
public final class ProcFile implements Closeable {
    /** Longest file that is read whole. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int INITIAL_BYTES = 8 << 10;

    private final Path path;
    private final boolean headOnly;
    private final FileChannel channel;
    private final ProcText text;
    private ByteBuffer buffer;

    private ProcFile(Path path, int capacity, boolean headOnly) throws IOException {
        this.path = path;
        this.headOnly = headOnly;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.text = new ProcText(capacity);
        this.buffer = ByteBuffer.allocateDirect(capacity);
    }

    /** Opens a file that is read whole. */
    public static ProcFile open(Path path) throws IOException {
        return new ProcFile(path, INITIAL_BYTES, false);
    }

    /** Opens a file of which only the first {@code bytes} matter; the rest is not copied. */
    public static ProcFile head(Path path, int bytes) throws IOException {
        return new ProcFile(path, bytes, true);
    }

    /** Where the file is, for messages. */
    public Path path() {
        return path;
    }

    /** The content now. The same object each time: it is valid until the next call. */
    public ProcText read() throws IOException {
        buffer.clear();
        while (channel.read(buffer, buffer.position()) > 0) {
            if (!buffer.hasRemaining() && !makeRoom()) {
                break;
            }
        }
        text.fill(buffer.flip());
        return text;
    }

    private boolean makeRoom() throws IOException {
        if (headOnly) {
            return false;
        }
        if (buffer.capacity() >= MAX_BYTES) {
            throw new IOException(path + " is longer than " + MAX_BYTES + " bytes");
        }
        buffer = ByteBuffer.allocateDirect(buffer.capacity() * 2).put(buffer.flip());
        return true;
    }

    /** {@code number} if it is there; otherwise says which file lacks what. */
    public long require(long number, String what) throws IOException {
        if (number == ProcText.ABSENT) {
            throw new IOException(path + " has no " + what);
        }
        return number;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
