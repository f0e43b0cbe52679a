// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.file.DirectOption;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Past the kernel's page cache ({@code O_DIRECT}): what others keep there stays, and a block costs a copy into memory that is
 * aligned as the disk wants it.
 */
final class DirectIo implements FileIo {
    private final ByteBufAllocator allocator;
    private final OpenOption option = DirectOption.get();
    private final int alignment;

    private DirectIo(ByteBufAllocator allocator, int alignment) throws IOException {
        this.allocator = allocator;
        this.alignment = alignment;
    }

    /**
     * Direct I/O in a directory.
     *
     * @throws IOException naming the directory, if its file system does not take it
     */
    static DirectIo in(Path directory, ByteBufAllocator allocator) throws IOException {
        Files.createDirectories(directory);
        DirectIo io =
                new DirectIo(allocator, (int) Files.getFileStore(directory).getBlockSize());
        Path probe = Files.createTempFile(directory, "direct", ".probe");
        try (BlockDisk.Written written = io.write(probe, Unpooled.wrappedBuffer(new byte[1]), Unpooled.EMPTY_BUFFER)) {
            written.sync();
        } catch (IOException | UnsupportedOperationException refused) {
            throw new IOException(
                    "the file system of " + directory
                            + " takes no direct I/O; set direct-io = false, or data on another",
                    refused);
        } finally {
            Files.delete(probe);
        }
        return io;
    }

    @Override
    public BlockDisk.Written write(Path file, ByteBuf head, ByteBuf body) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, option);
        try {
            write(channel, head, body);
            return new WrittenFile(channel);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** Whole blocks of the file system are written, and what is too much is cut off. */
    private void write(FileChannel channel, ByteBuf head, ByteBuf body) throws IOException {
        int bytes = head.readableBytes() + body.readableBytes();
        int padded = Math.ceilDiv(bytes, alignment) * alignment;
        ByteBuf staged = allocator.directBuffer(padded + alignment);
        try {
            ByteBuffer aligned = staged.nioBuffer(0, staged.capacity()).alignedSlice(alignment);
            put(head, aligned);
            put(body, aligned);
            while (aligned.position() < padded) {
                aligned.put((byte) 0);
            }
            aligned.flip();
            while (aligned.hasRemaining()) {
                channel.write(aligned);
            }
        } finally {
            staged.release();
        }
        channel.truncate(bytes);
    }

    private static void put(ByteBuf content, ByteBuffer to) {
        for (ByteBuffer part : content.nioBuffers()) {
            to.put(part);
        }
    }

    @Override
    public BlockFile open(Path file, Runnable closed) throws IOException {
        return new DirectBlockFile(FileChannel.open(file, StandardOpenOption.READ, option), alignment, closed);
    }
}
