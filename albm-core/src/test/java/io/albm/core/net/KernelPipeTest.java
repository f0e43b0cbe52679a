// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class KernelPipeTest {
    private static final int CAPACITY = 64 << 10;
    private static final int PIECE = 16 << 10;

    @TempDir
    private Path directory;

    private final byte[] content = new byte[3 * CAPACITY];

    @BeforeAll
    static void load() {
        Epoll.ensureAvailability();
    }

    @Test
    void movesFromOneDescriptorToTheOtherAndCopiesTheRest() throws IOException {
        new SplittableRandom(1).nextBytes(content);
        ByteBuffer bytes = ByteBuffer.allocateDirect(content.length).put(content);
        FileDescriptor[] source = FileDescriptor.pipe();
        Path target = directory.resolve("target");
        FileDescriptor to = FileDescriptor.from(target.toFile());
        try (KernelPipe pipe = KernelPipe.open(CAPACITY)) {
            int rest = content.length - PIECE;
            for (int at = 0; at < rest; at += PIECE) {
                assertThat(source[1].write(bytes, at, at + PIECE)).isEqualTo(PIECE);
                drain(pipe, to, pipe.fill(source[0], PIECE));
            }
            assertThat(Files.readAllBytes(target)).isEqualTo(part(0, rest));

            assertThat(source[1].write(bytes, rest, content.length)).isEqualTo(PIECE);
            assertThat(pipe.fill(source[0], CAPACITY)).isEqualTo(PIECE);
            ByteBuf end = pipe.take(PIECE, UnpooledByteBufAllocator.DEFAULT);
            assertThat(end).isEqualTo(Unpooled.wrappedBuffer(part(rest, PIECE)));
            end.release();
            assertThat(pipe.fill(source[0], 1)).as("while there are none").isZero();
        } finally {
            source[0].close();
            source[1].close();
            to.close();
        }
    }

    private static void drain(KernelPipe pipe, FileDescriptor to, int bytes) throws IOException {
        for (int left = bytes; left > 0; ) {
            left -= pipe.drain(to, left);
        }
    }

    private byte[] part(int from, int length) {
        return Arrays.copyOfRange(content, from, from + length);
    }

    @Test
    void lendsAsMuchMemoryAsFits() throws IOException {
        new SplittableRandom(2).nextBytes(content);
        ByteBuf memory = Unpooled.directBuffer(content.length).writeBytes(content);
        try (KernelPipe pipe = KernelPipe.open(CAPACITY)) {
            int lent = (int) pipe.lend(memory.memoryAddress(), content.length);
            assertThat(lent).isPositive().isLessThan(content.length);
            ByteBuf taken = pipe.take(lent, UnpooledByteBufAllocator.DEFAULT);
            assertThat(taken).isEqualTo(memory.slice(0, lent));
            taken.release();
        }
        memory.release();
    }

    @Test
    void doesNotWaitForWhatIsNotInIt() throws IOException {
        try (KernelPipe pipe = KernelPipe.open(CAPACITY)) {
            assertThatThrownBy(() -> pipe.take(1, UnpooledByteBufAllocator.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("hold 1 bytes");
        }
    }
}
