// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParityTest {
    private final Random random = new Random(3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 4096, 65_537})
    void xorsEveryByte(int length) {
        byte[] a = bytes(length);
        byte[] b = bytes(length);
        byte[] expected = new byte[length];
        for (int i = 0; i < length; i++) {
            expected[i] = (byte) (a[i] ^ b[i]);
        }
        ByteBuf target = direct(a);
        Parity.xorInto(target, direct(b));
        assertThat(content(target)).isEqualTo(expected);
    }

    @Test
    void treatsAShorterSourceAsFollowedByZeros() {
        ByteBuf target = direct(new byte[] {1, 2, 3});
        Parity.xorInto(target, direct(new byte[] {1}));
        assertThat(content(target)).containsExactly(0, 2, 3);
    }

    @Test
    void xorsASourceOfSeveralParts() {
        ByteBuf target = direct(new byte[] {1, 2, 3, 4});
        Parity.xorInto(target, Unpooled.wrappedBuffer(direct(new byte[] {1, 2, 3}), direct(new byte[] {4})));
        assertThat(content(target)).containsOnly(0);
    }

    @Test
    void refusesALongerSource() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Parity.xorInto(direct(new byte[1]), direct(new byte[2])));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static ByteBuf direct(byte[] bytes) {
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes));
    }

    private static byte[] content(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }
}
