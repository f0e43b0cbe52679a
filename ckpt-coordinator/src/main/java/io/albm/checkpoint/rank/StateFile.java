// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.rank;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * A saved state as a supervisor takes it: its name appears only when its content is on the disk.
 *
 * @param size in bytes
 * @param crc32c of the content
 */
public record StateFile(long size, long crc32c) {
    private static final int BUFFER = 1 << 16;

    /** What writes a state. */
    @FunctionalInterface
    public interface Content {
        /** The stream is buffered, and closed by the caller. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes the content under a name that nobody has yet. */
    public static StateFile write(Path file, Content content) throws IOException {
        Path partial = partial(file);
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            OutputStream buffered =
                    new BufferedOutputStream(new CheckedOutputStream(Channels.newOutputStream(channel), crc), BUFFER);
            content.writeTo(buffered);
            buffered.flush();
            channel.force(true);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return new StateFile(channel.size(), crc.getValue());
        }
    }

    /** Gives a whole file that nobody writes to any more a second name, without copying it. */
    public static StateFile link(Path whole, Path file) throws IOException {
        Path partial = partial(file);
        Files.deleteIfExists(partial);
        Files.createLink(partial, whole);
        try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.READ)) {
            CRC32C crc = new CRC32C();
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
            while (channel.read(buffer) >= 0) {
                crc.update(buffer.flip());
                buffer.clear();
            }
            channel.force(true);
            long size = channel.position();
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return new StateFile(size, crc.getValue());
        }
    }

    private static Path partial(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }
}
