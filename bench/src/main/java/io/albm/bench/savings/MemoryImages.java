// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Files like the memory images of HPL's ranks. */
final class MemoryImages {
    private static final int PAGE = 4096;
    private static final int RANKS = 4;
    private static final double ZERO = 0.032;

    /** Of the pages of all ranks, those that another one has had before. */
    private static final double EQUAL = 0.205;

    /** Of a page, what is random; the rest says little. */
    private static final double ENTROPY = 0.72;

    private MemoryImages() {}

    static List<Path> make(Path directory, int bytes) throws IOException {
        List<Path> images = new ArrayList<>();
        double shared = EQUAL * RANKS / (RANKS - 1);
        for (int rank = 0; rank < RANKS; rank++) {
            Path image = directory.resolve("image-" + rank);
            SplittableRandom kinds = new SplittableRandom(1);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(image))) {
                for (int page = 0; page < bytes / PAGE; page++) {
                    double kind = kinds.nextDouble();
                    long seed = kind < ZERO + shared ? page : page + (rank + 1L) * bytes;
                    out.write(kind < ZERO ? new byte[PAGE] : page(seed));
                }
            }
            images.add(image);
        }
        return images;
    }

    private static byte[] page(long seed) {
        byte[] random = new byte[(int) (PAGE * ENTROPY)];
        new SplittableRandom(seed).nextBytes(random);
        return Arrays.copyOf(random, PAGE);
    }

    /** A copy in which one page of {@code every} is another one. */
    static Path changed(Path image, Path copy, int every) throws IOException {
        Files.copy(image, copy);
        SplittableRandom random =
                new SplittableRandom(copy.getFileName().toString().hashCode());
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
            for (long page = 0; page < file.length() / PAGE; page++) {
                if (random.nextInt(every) == 0) {
                    file.seek(page * PAGE);
                    file.write(page(random.nextLong()));
                }
            }
        }
        return copy;
    }
}
