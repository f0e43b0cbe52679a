// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file from start to end, fsync and close included, or reads one and compares every byte. Prints a
 * {@link Tally} of bytes.
 */
public final class StreamFile {
    private StreamFile() {}

    /** {@code write|read FILE BLOCKS}. */
    public static void main(String... arguments) {
        Path file = Path.of(arguments[1]);
        int blocks = Integer.parseInt(arguments[2]);
        System.exit(Program.status(
                () -> System.out.println(arguments[0].equals("write") ? write(file, blocks) : read(file, blocks))));
    }

    private static Tally write(Path file, int blocks) throws IOException {
        Content content = new Content();
        long begin = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < blocks; i++) {
                ByteBuffer block = ByteBuffer.wrap(content.block(i));
                while (block.hasRemaining()) {
                    channel.write(block);
                }
            }
            channel.force(true);
        }
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }

    private static Tally read(Path file, int blocks) throws IOException {
        Content content = new Content();
        ByteBuffer block = ByteBuffer.allocate(Content.BLOCK);
        long begin = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int i = 0; i < blocks; i++) {
                fill(channel, block.clear());
                content.check(block.flip(), i);
            }
        }
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }

    private static void fill(FileChannel channel, ByteBuffer block) throws IOException {
        while (block.hasRemaining()) {
            if (channel.read(block) < 0) {
                throw new EOFException("the file ends at " + channel.position());
            }
        }
    }
}
