// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The arithmetic that parity is made of, on whole buffers: each byte is an element of GF(2^8). The loops walk
 * long views of the memory and are left to the JIT to vectorize: they are bound by memory, far above disk and network.
 *
 * <p>All of them change {@code target} in place and leave the indices of both buffers as they are; a {@code source} that is
 * shorter is taken as if zeros followed it.
 */
public final class Parity {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Parity() {}

    /**
     * Adds the readable bytes of {@code source} to those of {@code target}.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void xorInto(ByteBuf target, ByteBuf source) {
        MemorySegment rest = memory(target);
        for (ByteBuffer part : source.nioBuffers()) {
            xorInto(rest.asSlice(0, part.remaining()), MemorySegment.ofBuffer(part));
            rest = rest.asSlice(part.remaining());
        }
    }

    /**
     * Doubles the readable bytes of {@code target} and adds those of {@code source}: one step of Horner's rule.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void doubleAndXorInto(ByteBuf target, ByteBuf source) {
        MemorySegment rest = memory(target);
        for (ByteBuffer part : source.nioBuffers()) {
            doubleAndXorInto(rest.asSlice(0, part.remaining()), MemorySegment.ofBuffer(part));
            rest = rest.asSlice(part.remaining());
        }
        multiply(rest, 2);
    }

    /**
     * Halves the readable bytes of {@code target} and adds those of {@code source}: one step of Horner's rule from the other end.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    static void halveAndXorInto(ByteBuf target, ByteBuf source) {
        MemorySegment rest = memory(target);
        for (ByteBuffer part : source.nioBuffers()) {
            halveAndXorInto(rest.asSlice(0, part.remaining()), MemorySegment.ofBuffer(part));
            rest = rest.asSlice(part.remaining());
        }
        multiply(rest, GaloisField.HALF);
    }

    /** Multiplies the readable bytes of {@code target} by {@code factor}, 0 to 255. */
    public static void multiply(ByteBuf target, int factor) {
        multiply(memory(target), factor);
    }

    private static MemorySegment memory(ByteBuf target) {
        return MemorySegment.ofBuffer(target.nioBuffer());
    }

    private static void xorInto(MemorySegment target, MemorySegment source) {
        int length = Math.toIntExact(source.byteSize());
        int longs = length & -Long.BYTES;
        for (int i = 0; i < longs; i += Long.BYTES) {
            target.set(LONG, i, target.get(LONG, i) ^ source.get(LONG, i));
        }
        for (int i = longs; i < length; i++) {
            target.set(BYTE, i, (byte) (target.get(BYTE, i) ^ source.get(BYTE, i)));
        }
    }

    private static void doubleAndXorInto(MemorySegment target, MemorySegment source) {
        int length = Math.toIntExact(source.byteSize());
        int longs = length & -Long.BYTES;
        for (int i = 0; i < longs; i += Long.BYTES) {
            target.set(LONG, i, GaloisField.doubled(target.get(LONG, i)) ^ source.get(LONG, i));
        }
        for (int i = longs; i < length; i++) {
            target.set(BYTE, i, (byte) (GaloisField.doubled(target.get(BYTE, i) & 0xff) ^ source.get(BYTE, i)));
        }
    }

    private static void halveAndXorInto(MemorySegment target, MemorySegment source) {
        int length = Math.toIntExact(source.byteSize());
        int longs = length & -Long.BYTES;
        for (int i = 0; i < longs; i += Long.BYTES) {
            target.set(LONG, i, GaloisField.halved(target.get(LONG, i)) ^ source.get(LONG, i));
        }
        for (int i = longs; i < length; i++) {
            target.set(BYTE, i, (byte) (GaloisField.halved(target.get(BYTE, i) & 0xff) ^ source.get(BYTE, i)));
        }
    }

    private static void multiply(MemorySegment target, int factor) {
        int length = Math.toIntExact(target.byteSize());
        int longs = length & -Long.BYTES;
        for (int i = 0; i < longs; i += Long.BYTES) {
            target.set(LONG, i, GaloisField.product(target.get(LONG, i), factor));
        }
        for (int i = longs; i < length; i++) {
            target.set(BYTE, i, (byte) GaloisField.product(target.get(BYTE, i) & 0xff, factor));
        }
    }
}
