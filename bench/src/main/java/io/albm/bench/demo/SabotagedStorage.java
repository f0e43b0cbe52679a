// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Rots a bit on a storage node's disk, below everything that could notice at once. */
final class SabotagedStorage {
    private SabotagedStorage() {}

    static void rotABit(Path disk) throws IOException {
        Path largest;
        try (Stream<Path> files = Files.walk(disk)) {
            largest = files.filter(Files::isRegularFile)
                    .max(Comparator.comparingLong(SabotagedStorage::size))
                    .orElseThrow(() -> new IOException(disk + " holds no file"));
        }
        try (RandomAccessFile file = new RandomAccessFile(largest.toFile(), "rw")) {
            file.seek(file.length() / 2);
            int old = file.read();
            file.seek(file.length() / 2);
            file.write(old ^ 1);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
