// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Holes of a file in the striped storage as programs find them, which copy no byte of what they take for one. */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class StripedHolesTest {
    private static final long GIGABYTE = 1 << 30;
    private static final long PLACE_BYTES = 100_000_001;
    private static final int PIECE_BYTES = 10_000;

    @TempDir
    Path directory;

    private ServedMount mount;

    @BeforeEach
    void mount() throws IOException {
        mount = ServedMount.start(StripedMount.class, directory);
    }

    @AfterEach
    void unmount() {
        mount.close();
    }

    /** Of a gigabyte, in a few places. */
    private Path sparseFile() throws IOException {
        Path file = directory.resolve("sparse");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int place = 1; place < 5; place++) {
                channel.write(ByteBuffer.wrap(new byte[PIECE_BYTES]), place * PLACE_BYTES);
                channel.write(ByteBuffer.wrap(new byte[] {(byte) place}), place * PLACE_BYTES + PIECE_BYTES);
            }
        }
        assertThat(Libc.call("truncate", file.toString(), GIGABYTE)).isZero();
        awaitHoles(file);
        return file;
    }

    /** The kernel may release a handle after the close has returned. */
    private static void awaitHoles(Path file) {
        await().until(() -> Libc.seek(file, 0, Libc.SEEK_HOLE) < GIGABYTE);
    }

    /** Where data and holes begin, in turns. */
    private static List<Long> borders(Path file) {
        List<Long> borders = new ArrayList<>();
        long at = Libc.seek(file, 0, Libc.SEEK_DATA);
        while (at >= 0) {
            borders.add(at);
            borders.add(Libc.seek(file, at, Libc.SEEK_HOLE));
            at = Libc.seek(file, borders.getLast(), Libc.SEEK_DATA);
        }
        assertThat(at).isEqualTo(-Errno.ENXIO.code());
        return borders;
    }

    private static List<Long> pieces(long... places) {
        return LongStream.of(places)
                .flatMap(place -> LongStream.of(place * PLACE_BYTES, place * PLACE_BYTES + PIECE_BYTES + 1))
                .boxed()
                .toList();
    }

    @Test
    void tellsHolesOfWhatNobodyHasWritten() throws IOException {
        Path file = sparseFile();
        assertThat(borders(file)).isEqualTo(pieces(1, 2, 3, 4));
        assertThat(Libc.seek(file, 5, Libc.SEEK_HOLE)).isEqualTo(5);
        assertThat(Libc.seek(file, GIGABYTE, Libc.SEEK_DATA)).isEqualTo(-Errno.ENXIO.code());
        assertThat(Libc.seek(file, GIGABYTE, Libc.SEEK_HOLE)).isEqualTo(-Errno.ENXIO.code());

        assertThat(Libc.fallocate(file, Libc.PUNCH_HOLE, 2 * PLACE_BYTES, PLACE_BYTES))
                .isZero();
        awaitHoles(file);
        assertThat(borders(file)).isEqualTo(pieces(1, 3, 4));
    }

    /** What is written there, the kernel tells when it likes. */
    @Test
    void tellsNoHolesWhileTheFileIsMappedForWriting() throws IOException {
        Path file = sparseFile();
        long written = 5 * PLACE_BYTES;
        try (Arena mapped = Arena.ofShared()) {
            MemorySegment bytes;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                bytes = channel.map(FileChannel.MapMode.READ_WRITE, written, PIECE_BYTES, mapped);
            }
            // An opening would have the kernel tell.
            int reader = (int) Libc.call("open64", file.toString(), 0);
            bytes.set(ValueLayout.JAVA_BYTE, 7, (byte) 1);
            assertThat(Libc.call("lseek", reader, 0L, Libc.SEEK_DATA)).isZero();
            assertThat(Libc.call("lseek", reader, 0L, Libc.SEEK_HOLE)).isEqualTo(GIGABYTE);
            Libc.call("close", reader);
        }
        awaitHoles(file);
        assertThat(borders(file)).startsWith(pieces(1, 2, 3, 4).toArray(Long[]::new));
        assertThat(Libc.seek(file, written, Libc.SEEK_DATA)).isBetween(written, written + 7);
        assertThat(Libc.seek(file, written + 7, Libc.SEEK_HOLE)).isGreaterThan(written + 7);
    }

    @Test
    void isCopiedWithItsHoles(@TempDir Path elsewhere) throws IOException, InterruptedException {
        Path file = sparseFile();
        Path copy = elsewhere.resolve("copy");
        Process cp = new ProcessBuilder("cp", "--sparse=auto", file.toString(), copy.toString())
                .inheritIO()
                .start();
        assertThat(cp.waitFor()).isZero();
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        assertThat(borders(copy)).hasSameSizeAs(borders(file));
    }
}
