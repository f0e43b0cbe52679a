// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * The application of paper P4: counts the words of a text file again and again. The file is its own, and it writes it
 * itself, so that the kernel charges the file's page cache to the node that it runs on. Once it has counted the text it
 * prints the number of words; from then on every count must be the same.
 */
final class WordCounter {
    private static final int CHUNK = 64 << 10;
    private static final int BLOCK = 1 << 20;

    private final Path text;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
    private final byte[] chunk = new byte[CHUNK];

    WordCounter(Path text) {
        this.text = text;
    }

    /** Arguments: the file, and how long it is to be in bytes. */
    public static void main(String[] arguments) throws IOException {
        Thread.ofPlatform().daemon().start(WordCounter::endWithTheExperiment);
        Path text = Path.of(arguments[0]);
        write(text, Long.parseLong(arguments[1]));
        WordCounter counter = new WordCounter(text);
        long words = counter.count();
        System.out.println(words);
        long again = words;
        while (again == words) {
            again = counter.count();
        }
        System.err.println("counted " + again + " words where there were " + words + " before");
        System.exit(1);
    }

    private static void endWithTheExperiment() {
        try {
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException e) {
            // A broken pipe ends the process like a closed one.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Writes words, and waits until they are on disk: pages that are clean can be pushed out. */
    static void write(Path text, long bytes) throws IOException {
        ByteBuffer block = ByteBuffer.wrap(block());
        try (FileChannel out = FileChannel.open(
                text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; left -= block.limit()) {
                block.clear().limit((int) Math.min(left, BLOCK));
                while (block.hasRemaining()) {
                    out.write(block);
                }
            }
            out.force(false);
        }
    }

    private static byte[] block() {
        SplittableRandom random = new SplittableRandom(4);
        byte[] block = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            block[i] = (byte) (random.nextInt(6) == 0 ? ' ' : 'a' + random.nextInt(26));
        }
        block[BLOCK - 1] = '\n';
        return block;
    }

    /** Counts the words once. */
    long count() throws IOException {
        long words = 0;
        boolean inWord = false;
        try (FileChannel in = FileChannel.open(text, StandardOpenOption.READ)) {
            while (in.read(buffer.clear()) > 0) {
                int length = buffer.flip().remaining();
                buffer.get(chunk, 0, length);
                for (int i = 0; i < length; i++) {
                    boolean letter = chunk[i] > ' ';
                    words += letter && !inWord ? 1 : 0;
                    inWord = letter;
                }
            }
        }
        return words;
    }
}
