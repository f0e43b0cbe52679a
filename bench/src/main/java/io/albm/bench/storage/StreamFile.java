// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.file.DirectOption;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes a file from start to end, fsync and close included, through the page cache or past it, or reads one and compares
 * every byte. Prints a {@link Tally} of bytes.
 */
public final class StreamFile {
    /** What disks and file systems have as their block, at most. */
    private static final int ALIGNMENT = 4096;

    private StreamFile() {}

    /** {@code write|write-direct|read FILE BLOCKS}. */
    public static void main(String... arguments) {
        Path file = Path.of(arguments[1]);
        int blocks = Integer.parseInt(arguments[2]);
        System.exit(Program.status(() -> System.out.println(run(arguments[0], file, blocks))));
    }

    private static Tally run(String what, Path file, int blocks) throws IOException {
        return switch (what) {
            case "write" -> write(file, blocks, Set.of());
            case "write-direct" -> write(file, blocks, Set.of(DirectOption.get()));
            case "read" -> read(file, blocks);
            default -> throw new IllegalArgumentException(what);
        };
    }

    private static Tally write(Path file, int blocks, Set<OpenOption> how) throws IOException {
        Set<OpenOption> options = new HashSet<>(how);
        options.addAll(List.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        Content content = new Content();
        ByteBuffer block = ByteBuffer.allocateDirect(Content.BLOCK + ALIGNMENT).alignedSlice(ALIGNMENT);
        long begin = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, options)) {
            for (int i = 0; i < blocks; i++) {
                block.clear().put(content.block(i)).flip();
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
