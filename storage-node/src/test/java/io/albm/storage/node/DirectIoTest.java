// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose lengths and places are no multiples of what the disk takes. */
class DirectIoTest {
    private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    @TempDir
    Path dir;

    private final Random random = new Random(1);

    private LocalDisk disk() throws IOException {
        return new LocalDisk(dir, DirectIo.in(dir, ALLOCATOR));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 65_536, 1_049_000})
    void writesAndReadsWhatIsOfAnyLength(int length) throws IOException {
        LocalDisk disk = disk();
        byte[] head = bytes(52);
        byte[] body = bytes(length);
        try (BlockDisk.Written written =
                disk.write("d/f", Unpooled.wrappedBuffer(head), Unpooled.wrappedBuffer(body))) {
            written.sync();
        }
        byte[] all = Arrays.copyOf(head, head.length + length);
        System.arraycopy(body, 0, all, head.length, length);
        assertThat(Files.readAllBytes(dir.resolve("d/f"))).isEqualTo(all);
        try (BlockFile file = disk.open("d/f")) {
            assertThat(file.bytes()).isEqualTo(all.length);
            for (int round = 0; round < 50; round++) {
                int from = random.nextInt(all.length);
                int count = random.nextInt(all.length + 5000);
                assertThat(taken(file.read(from, count, ALLOCATOR)))
                        .isEqualTo(Arrays.copyOfRange(all, from, Math.min(all.length, from + count)));
            }
        }
        assertThat(taken((ByteBuf) disk.open("d/f").send(50, length, ALLOCATOR)))
                .isEqualTo(Arrays.copyOfRange(all, 50, 50 + length));
        try (BlockFile file = disk.open("d/f")) {
            assertThatIOException()
                    .isThrownBy(() -> file.send(50, length + 3, ALLOCATOR))
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void writesOverWhatIsLonger() throws IOException {
        LocalDisk disk = disk();
        disk.writeDurably("f", Unpooled.wrappedBuffer(bytes(10_000)));
        byte[] shorter = bytes(10);
        disk.writeDurably("f", Unpooled.wrappedBuffer(shorter));
        assertThat(dir.resolve("f")).hasBinaryContent(shorter);
    }

    @Test
    void namesADirectoryWhoseFileSystemDoesNotTakeIt() throws Exception {
        assumeTrue(run("mount", "-t", "ramfs", "ramfs", dir.toString()), "needs root");
        try {
            assertThatIOException()
                    .isThrownBy(this::disk)
                    .withMessageContainingAll(dir.toString(), "no direct I/O", "direct-io = false");
            assertThat(dir).isEmptyDirectory();
        } finally {
            run("umount", dir.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] taken(ByteBuf content) {
        try {
            return ByteBufUtil.getBytes(content);
        } finally {
            content.release();
        }
    }
}
