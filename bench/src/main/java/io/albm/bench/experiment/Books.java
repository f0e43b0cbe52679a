// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The account of a server that limits its memory itself, in the form of a control group's directory (v2), so that an agent
 * reads it as it reads the kernel's. Numbers have a fixed width and each file is written at once: a reader sees the old
 * text or the new one.
 */
final class Books implements AutoCloseable {
    private final FileChannel current;
    private final FileChannel stat;

    private Books(FileChannel current, FileChannel stat) {
        this.current = current;
        this.stat = stat;
    }

    /** Opens them, with nothing in use. */
    static Books open(Path directory, long limitBytes) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("memory.max"), limitBytes + "\n");
        Books books = new Books(write(directory.resolve("memory.current")), write(directory.resolve("memory.stat")));
        books.write(0, 0, 0);
        return books;
    }

    private static FileChannel write(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Writes what is in use, documents included, what of it is documents, and the looks that waited for the disk. */
    void write(long usedBytes, long documentBytes, long reads) throws IOException {
        write(stat, "active_file 0\ninactive_file %020d\npgmajfault %020d\n".formatted(documentBytes, reads));
        write(current, "%020d\n".formatted(usedBytes));
    }

    private static void write(FileChannel file, String text) throws IOException {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    @Override
    public void close() throws IOException {
        current.close();
        stat.close();
    }
}
