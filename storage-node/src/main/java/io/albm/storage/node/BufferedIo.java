// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Through the kernel's page cache. */
final class BufferedIo implements FileIo {
    private static final Path NOWHERE = Path.of("/dev/null");

    private final FileChannel nowhere;

    BufferedIo() throws IOException {
        this.nowhere = FileChannel.open(NOWHERE, StandardOpenOption.WRITE);
    }

    @Override
    public BlockDisk.Written write(Path file, ByteBuf head, ByteBuf body) throws IOException {
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            write(channel, head);
            write(channel, body);
            return new WrittenFile(channel);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private static void write(FileChannel channel, ByteBuf content) throws IOException {
        for (ByteBuffer part : content.nioBuffers()) {
            while (part.hasRemaining()) {
                channel.write(part);
            }
        }
    }

    @Override
    public BlockFile open(Path file) throws IOException {
        return new LocalBlockFile(file, nowhere);
    }
}
