// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** Beyond one window, each source ends elsewhere, and one of them has parts that end in the midst of a window. */
    @Test
    void sumsSourcesOfDifferentLengths() {
        byte[] longest = bytes(20_011);
        byte[] shorter = bytes(9_003);
        byte[] expected = longest.clone();
        for (int i = 0; i < shorter.length; i++) {
            expected[i] ^= shorter[i];
        }
        ByteBuf parts = Unpooled.wrappedBuffer(
                direct(Arrays.copyOf(longest, 5_003)), direct(Arrays.copyOfRange(longest, 5_003, longest.length)));
        ByteBuf target = direct(bytes(longest.length));
        Parity.sum(target, List.of(direct(shorter), Unpooled.EMPTY_BUFFER, parts));
        assertThat(content(target)).isEqualTo(expected);
        assertThat(parts.readableBytes()).isEqualTo(longest.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumsAnyNumberOfSources(int count) {
        byte[] expected = new byte[20_011];
        List<ByteBuf> sources = new ArrayList<>();
        for (int source = 0; source < count; source++) {
            byte[] bytes = bytes(expected.length - 1_003 * source);
            for (int i = 0; i < bytes.length; i++) {
                expected[i] ^= bytes[i];
            }
            sources.add(direct(bytes));
        }
        ByteBuf target = direct(bytes(expected.length));
        Parity.sum(target, sources);
        assertThat(content(target)).isEqualTo(expected);
    }

    @Test
    void sumsNothingToZeros() {
        ByteBuf target = direct(new byte[] {1, 2, 3});
        Parity.sum(target, List.of(Unpooled.EMPTY_BUFFER, Unpooled.EMPTY_BUFFER));
        assertThat(content(target)).containsOnly(0);
    }

    @Test
    void refusesALongerSource() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> Parity.xorInto(direct(new byte[1]), direct(new byte[2])));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 4097})
    void doublesWhatNoSourceReaches(int length) {
        byte[] high = new byte[length];
        Arrays.fill(high, (byte) 0x81);
        byte[] expected = new byte[length];
        Arrays.fill(expected, (byte) (0x02 ^ 0x1d));
        ByteBuf target = direct(new byte[length]);
        Parity.doublingSum(target, List.of(direct(high), Unpooled.EMPTY_BUFFER));
        assertThat(content(target)).isEqualTo(expected);
    }

    @Test
    void multipliesAndDivides() {
        byte[] bytes = bytes(1001);
        ByteBuf target = direct(bytes);
        for (int factor = 1; factor < 256; factor++) {
            Parity.multiply(target, factor);
            Parity.multiply(target, GaloisField.inverse(factor));
            assertThat(content(target)).as("by " + factor).isEqualTo(bytes);
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static ByteBuf direct(byte[] bytes) {
        return Unpooled.wrappedBuffer(
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }

    private static byte[] content(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }
}
