// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A process that counts in a file, as others do at the same time: {@code CountingProgram FILE ROUNDS}. Each round locks the
 * counter, a number of 8 bytes, adds one, and unlocks it, the file being open all the time.
 */
final class CountingProgram {
    private CountingProgram() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = Integer.parseInt(arguments[1]);
        try (FileChannel file =
                FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int round = 0; round < rounds; round++) {
                try (FileLock lock = file.lock(0, Long.BYTES, false)) {
                    add(lock.acquiredBy());
                }
            }
        }
    }

    private static void add(java.nio.channels.Channel to) throws IOException {
        FileChannel file = (FileChannel) to;
        ByteBuffer counter = ByteBuffer.allocate(Long.BYTES);
        file.read(counter, 0);
        counter.putLong(0, counter.getLong(0) + 1).clear();
        file.write(counter, 0);
    }

    static Process start(Path file, int rounds) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountingProgram.class.getName(),
                        file.toString(),
                        Integer.toString(rounds))
                .inheritIO()
                .start();
    }
}
