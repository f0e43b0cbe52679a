// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file of a local file system that is read past the kernel's page cache. */
final class DirectBlockFile implements BlockFile {
    private final FileChannel channel;
    private final int alignment;
    private final Runnable closed;
    private final long bytes;

    /**
     * @param channel closed with this
     * @param alignment of positions, lengths and memory, in bytes
     * @param closed run when it is closed
     */
    DirectBlockFile(FileChannel channel, int alignment, Runnable closed) throws IOException {
        this.channel = channel;
        this.closed = closed;
        this.alignment = alignment;
        this.bytes = channel.size();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Reads the blocks of the file system that hold the range, and shows the range. */
    @Override
    public ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException {
        long from = position / alignment * alignment;
        int needed = (int) (Math.clamp(bytes - position, 0, length) + position - from);
        int padded = Math.ceilDiv(needed, alignment) * alignment;
        ByteBuf content = allocator.directBuffer(padded + alignment);
        try {
            ByteBuffer memory = content.nioBuffer(0, content.capacity());
            ByteBuffer aligned = memory.alignedSlice(alignment).limit(padded);
            while (aligned.position() < needed && channel.read(aligned, from + aligned.position()) >= 0) {}
            int start = Math.floorMod(-memory.alignmentOffset(0, alignment), alignment);
            int end = start + Math.min(needed, aligned.position());
            return content.setIndex(Math.min(end, start + (int) (position - from)), end);
        } catch (IOException | RuntimeException failure) {
            content.release();
            throw failure;
        }
    }

    @Override
    public ByteBuf send(long position, int length, ByteBufAllocator allocator) throws IOException {
        if (position + length > bytes) {
            throw new EOFException("the file ends at " + bytes + ", before " + (position + length));
        }
        ByteBuf content = read(position, length, allocator);
        close();
        return content;
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
