// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Through the kernel's page cache. */
final class BufferedIo implements FileIo {
    private static final Path NOWHERE = Path.of("/dev/null");

    /** As a page, and most file systems' block. */
    private static final int PAGE_BYTES = 4096;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(PAGE_BYTES);

    private final FileChannel nowhere;

    BufferedIo() throws IOException {
        this.nowhere = FileChannel.open(NOWHERE, StandardOpenOption.WRITE);
    }

    @Override
    public BlockDisk.Written write(Path file, ByteBuf head, ByteBuf body) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            write(channel, head, body);
            return new WrittenFile(channel);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** Over an old file in whole pages, and what is too much is cut off: the kernel would read a page first of which some is to stay. */
    private static void write(FileChannel channel, ByteBuf head, ByteBuf body) throws IOException {
        boolean isNew = channel.size() == 0;
        int bytes = head.readableBytes() + body.readableBytes();
        ByteBuffer padding = ZEROS.slice(0, isNew ? 0 : Math.floorMod(-bytes, PAGE_BYTES));
        ByteBuffer[] parts = Stream.of(head.nioBuffers(), body.nioBuffers(), new ByteBuffer[] {padding})
                .flatMap(Stream::of)
                .toArray(ByteBuffer[]::new);
        while (Stream.of(parts).anyMatch(ByteBuffer::hasRemaining)) {
            channel.write(parts);
        }
        if (!isNew) {
            channel.truncate(bytes);
        }
    }

    @Override
    public BlockFile open(Path file, Runnable closed) throws IOException {
        return new LocalBlockFile(file, nowhere, closed);
    }
}
