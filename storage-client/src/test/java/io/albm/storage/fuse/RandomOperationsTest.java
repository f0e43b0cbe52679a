// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A file through the mount against an array, by random operations: what fsx does. */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class RandomOperationsTest {
    private static final int MOST = 600_000;
    private static final int OPERATIONS = 4000;

    @TempDir
    Path directory;

    private final byte[] model = new byte[MOST];
    private int size;

    static Stream<Arguments> mounts() {
        return Stream.of(MemoryMount.class, StripedMount.class)
                .flatMap(server -> LongStream.of(1, 2, 3).mapToObj(seed -> Arguments.of(server, seed)));
    }

    @ParameterizedTest
    @MethodSource("mounts")
    void aFileIsWhatItsWritersMadeIt(Class<?> server, long seed) throws Exception {
        Random random = new Random(seed);
        Path file = directory.resolve("file");
        try (ServedMount mount = ServedMount.start(server, directory);
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(mount).isNotNull();
            for (int next = 0; next < OPERATIONS; next++) {
                int operation = random.nextInt(8);
                step(operation, random, file, channel);
                assertThat(channel.size())
                        .as("size after operation %d, seed %d", next, seed)
                        .isEqualTo(size);
            }
            check(read(channel, 0, size), 0, "the whole file, seed " + seed);
        }
    }

    private void step(int operation, Random random, Path file, FileChannel channel) throws IOException {
        int offset = random.nextInt(MOST - 1);
        int length = 1 + random.nextInt(Math.min(70_000, MOST - offset));
        switch (operation) {
            case 0 -> write(random, channel, offset, length);
            case 1 -> truncate(channel, offset);
            case 2 -> writeMapped(random, channel, length);
            case 3 -> readMapped(random, channel, length);
            case 4 -> allocate(file, Libc.PUNCH_HOLE, offset, length);
            case 5 -> allocate(file, Libc.ZERO_RANGE, offset, length);
            case 6 -> allocate(file, 0, offset, length);
            default -> check(read(channel, offset, length), offset, "read at " + offset);
        }
    }

    private void write(Random random, FileChannel channel, int offset, int length) throws IOException {
        byte[] bytes = bytes(random, length);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source, offset + source.position());
        }
        System.arraycopy(bytes, 0, model, offset, length);
        size = Math.max(size, offset + length);
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void truncate(FileChannel channel, int newSize) throws IOException {
        channel.truncate(newSize);
        if (newSize < size) {
            Arrays.fill(model, newSize, size, (byte) 0);
            size = newSize;
        }
    }

    private void writeMapped(Random random, FileChannel channel, int length) throws IOException {
        if (size > 0) {
            int offset = random.nextInt(size);
            byte[] bytes = bytes(random, Math.min(length, size - offset));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes.length, arena);
                MemorySegment.copy(bytes, 0, mapped, ValueLayout.JAVA_BYTE, 0, bytes.length);
            }
            System.arraycopy(bytes, 0, model, offset, bytes.length);
        }
    }

    private void readMapped(Random random, FileChannel channel, int length) throws IOException {
        if (size > 0) {
            int offset = random.nextInt(size);
            int count = Math.min(length, size - offset);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, offset, count, arena);
                check(mapped.toArray(ValueLayout.JAVA_BYTE), offset, "mapped at " + offset);
            }
        }
    }

    private void allocate(Path file, int mode, int offset, int length) {
        assertThat(Libc.fallocate(file, mode, offset, length)).isZero();
        if (mode != 0) {
            Arrays.fill(model, offset, offset + length, (byte) 0);
        }
        if (mode != Libc.PUNCH_HOLE) {
            size = Math.max(size, offset + length);
        }
    }

    private static byte[] read(FileChannel channel, int offset, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining() && channel.read(target, offset + target.position()) >= 0) {
            // Ends with the file.
        }
        return Arrays.copyOf(target.array(), target.position());
    }

    private void check(byte[] found, int offset, String what) {
        int expected = Math.max(0, Math.min(found.length, size - offset));
        assertThat(found).as(what).hasSize(expected);
        assertThat(Arrays.mismatch(found, 0, expected, model, offset, offset + expected))
                .as(what)
                .isEqualTo(-1);
    }
}
