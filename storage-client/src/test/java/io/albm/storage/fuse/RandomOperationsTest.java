// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files through the mount against arrays, by random operations: what fsx does. {@code -Dalbm.test.long=true} makes the runs
 * long.
 */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class RandomOperationsTest {
    private static final int OPERATIONS = Boolean.getBoolean("albm.test.long") ? 250_000 : 2000;
    private static final int FILES = 4;

    @TempDir
    Path directory;

    static Stream<Arguments> mounts() {
        return Stream.of(MemoryMount.class, StripedMount.class)
                .flatMap(server -> LongStream.of(1, 2).mapToObj(seed -> Arguments.of(server, seed)));
    }

    @ParameterizedTest
    @MethodSource("mounts")
    void aFileIsWhatItsWritersMadeIt(Class<?> server, long seed) throws Exception {
        try (ServedMount mount = ServedMount.start(server, directory)) {
            assertThat(mount).isNotNull();
            exercise(seed);
        }
    }

    @Test
    void filesDoNotDisturbEachOther() throws Exception {
        try (ServedMount mount = ServedMount.start(StripedMount.class, directory);
                ExecutorService threads = Executors.newFixedThreadPool(FILES)) {
            assertThat(mount).isNotNull();
            List<Future<?>> all = LongStream.range(0, FILES)
                    .<Future<?>>mapToObj(seed -> threads.submit(() -> exercise(100 + seed)))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private Void exercise(long seed) throws IOException {
        try (FileExerciser exerciser = new FileExerciser(directory.resolve("file-" + seed), seed)) {
            for (int next = 0; next < OPERATIONS; next++) {
                exerciser.step();
            }
            exerciser.checkAll();
        }
        return null;
    }
}
