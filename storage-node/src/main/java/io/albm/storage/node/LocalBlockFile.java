// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.ReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A file of a local file system. */
final class LocalBlockFile implements BlockFile {
    /** A small part is sent together with its frame's head by one call; a part of a file takes calls and packets of its own. */
    private static final int MOST_COPIED_BYTES = 128 * 1024;

    /**
     * What was sent may lie in sockets as pages of the file, on this machine until the reader takes them. Readers who are slower than that
     * find the content of another block there, if the file was written again, and take it for corrupt.
     */
    private static final Executor AFTER_SENDING = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS, Runnable::run);

    private final FileChannel channel;
    private final WritableByteChannel nowhere;
    private final Runnable closed;
    private final long bytes;

    /**
     * @param nowhere takes any bytes and does nothing with them; stays the caller's
     * @param closed run when it is closed, and nothing of it is in a socket any more
     */
    LocalBlockFile(Path path, WritableByteChannel nowhere, Runnable closed) throws IOException {
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.nowhere = nowhere;
        this.closed = closed;
        this.bytes = channel.size();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException {
        int count = (int) Math.min(length, bytes - position);
        ByteBuf content = allocator.directBuffer(count);
        try {
            while (content.readableBytes() < count) {
                int done = content.readableBytes();
                if (content.writeBytes(channel, position + done, count - done) < 0) {
                    break;
                }
            }
            return content;
        } catch (IOException | RuntimeException failure) {
            content.release();
            throw failure;
        }
    }

    @Override
    public ReferenceCounted send(long position, int length, ByteBufAllocator allocator) throws IOException {
        if (position + length > bytes) {
            throw new EOFException("the file ends at " + bytes + ", before " + (position + length));
        }
        return length <= MOST_COPIED_BYTES ? copy(position, length, allocator) : region(position, length);
    }

    private ByteBuf copy(long position, int length, ByteBufAllocator allocator) throws IOException {
        ByteBuf copy = read(position, length, allocator);
        close();
        return copy;
    }

    /** Has the kernel send the bytes to nowhere first: the event loop that sends them to a socket must not wait for the disk. */
    private DefaultFileRegion region(long position, int length) throws IOException {
        long end = position + length;
        for (long at = position; at < end; ) {
            long sent = channel.transferTo(at, end - at, nowhere);
            if (sent <= 0) {
                throw new EOFException("the file ends before " + end);
            }
            at += sent;
        }
        return new DefaultFileRegion(channel, position, length) {
            @Override
            protected void deallocate() {
                super.deallocate();
                AFTER_SENDING.execute(closed);
            }
        };
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            closed.run();
        }
    }
}
