// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/** Does random operations to a file and to an array, and compares. The same seed does the same. */
final class FileExerciser implements AutoCloseable {
    private static final int MOST = 600_000;
    private static final int LONGEST = 70_000;
    private static final int KINDS = 16;

    private final Path file;
    private final long seed;
    private final Random random;
    private final byte[] model = new byte[MOST];
    private FileChannel channel;
    private int size;
    private int steps;

    FileExerciser(Path file, long seed) throws IOException {
        this.file = file;
        this.seed = seed;
        random = new Random(seed);
        channel = open();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Does one operation. */
    void step() throws IOException {
        steps++;
        int offset = random.nextInt(MOST - 1);
        int length = 1 + random.nextInt(Math.min(LONGEST, MOST - offset));
        int kind = random.nextInt(KINDS);
        switch (kind) {
            case 0, 1 -> write(offset, length);
            case 2 -> truncate(offset);
            case 3 -> writeMapped(length);
            case 4 -> readMapped(length);
            case 5 -> allocate(Libc.PUNCH_HOLE, offset, length);
            case 6 -> allocate(Libc.ZERO_RANGE, offset, length);
            case 7 -> allocate(Libc.ZERO_RANGE | Libc.KEEP_SIZE, offset, length);
            case 8 -> allocate(0, offset, length);
            case 9 -> allocate(Libc.KEEP_SIZE, offset, length);
            case 10 -> refuse();
            case 11 -> copy(offset, length);
            case 12 -> reopen();
            case 13 -> channel.force(random.nextBoolean());
            case 14 -> send(offset, length);
            default -> check(read(offset, length), offset, "read at " + offset);
        }
        assertThat(channel.size())
                .as("size after operation %s of kind %d", when(), kind)
                .isEqualTo(size);
    }

    private String when() {
        return steps + " of seed " + seed;
    }

    private void write(int offset, int length) throws IOException {
        byte[] bytes = bytes(length);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source, offset + source.position());
        }
        System.arraycopy(bytes, 0, model, offset, length);
        size = Math.max(size, offset + length);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void truncate(int newSize) {
        assertThat(Libc.call("truncate", file.toString(), (long) newSize)).isZero();
        Arrays.fill(model, Math.min(newSize, size), MOST, (byte) 0);
        size = newSize;
    }

    private void writeMapped(int length) throws IOException {
        if (size > 0) {
            int offset = random.nextInt(size);
            byte[] bytes = bytes(Math.min(length, size - offset));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes.length, arena);
                MemorySegment.copy(bytes, 0, mapped, ValueLayout.JAVA_BYTE, 0, bytes.length);
                if (random.nextBoolean()) {
                    mapped.force();
                }
            }
            System.arraycopy(bytes, 0, model, offset, bytes.length);
        }
    }

    private void readMapped(int length) throws IOException {
        if (size > 0) {
            int offset = random.nextInt(size);
            int count = Math.min(length, size - offset);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, offset, count, arena);
                check(mapped.toArray(ValueLayout.JAVA_BYTE), offset, "mapped at " + offset);
            }
        }
    }

    private void allocate(int mode, int offset, int length) {
        assertThat(Libc.fallocate(file, mode, offset, length)).isZero();
        if ((mode & ~Libc.KEEP_SIZE) != 0) {
            Arrays.fill(model, offset, offset + length, (byte) 0);
        }
        if ((mode & Libc.KEEP_SIZE) == 0) {
            size = Math.max(size, offset + length);
        }
    }

    /** What nobody offers must leave the file as it is. */
    private void refuse() {
        for (int mode : new int[] {Libc.COLLAPSE_RANGE, Libc.INSERT_RANGE}) {
            assertThat(Libc.fallocate(file, mode, 0, 4096)).isEqualTo(-Errno.EOPNOTSUPP.code());
        }
        assertThat(Libc.fallocate(file, 0, -1, 10)).isEqualTo(-Errno.EINVAL.code());
        assertThat(Libc.fallocate(file, 0, 0, 0)).isEqualTo(-Errno.EINVAL.code());
    }

    /** A range of the file to another place in it. */
    private void copy(int target, int length) {
        if (size > 0) {
            int source = random.nextInt(size);
            int count = Math.min(Math.min(length, size - source), Math.abs(target - source));
            long copied = Libc.withFile(
                    file,
                    open -> Libc.call(
                            "copy_file_range", open, new long[] {source}, open, new long[] {target}, (long) count, 0));
            assertThat(copied).as("copied by operation %s", when()).isEqualTo(count);
            System.arraycopy(model, source, model, target, count);
            size = count == 0 ? size : Math.max(size, target + count);
        }
    }

    private void reopen() throws IOException {
        channel.close();
        channel = open();
    }

    /** By sendfile or splice: what the kernel keeps is used where it lies. */
    private void send(int offset, int length) throws IOException {
        var out = new java.io.ByteArrayOutputStream();
        long sent = channel.transferTo(offset, length, Channels.newChannel(out));
        assertThat(sent).isEqualTo(out.size());
        check(out.toByteArray(), offset, "sent from " + offset);
    }

    private byte[] read(int offset, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining() && channel.read(target, offset + target.position()) >= 0) {
            // Ends with the file.
        }
        return Arrays.copyOf(target.array(), target.position());
    }

    private void check(byte[] found, int offset, String what) {
        int expected = Math.max(0, Math.min(found.length, size - offset));
        assertThat(found).as("%s by operation %s", what, when()).hasSize(expected);
        assertThat(Arrays.mismatch(found, 0, expected, model, offset, offset + expected))
                .as("%s by operation %s", what, when())
                .isEqualTo(-1);
    }

    /** Compares the whole file. */
    void checkAll() throws IOException {
        check(read(0, MOST), 0, "the whole file");
    }
}
