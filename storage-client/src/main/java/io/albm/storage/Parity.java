// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * XOR parity: the parity of a stripe is the XOR of its data units, a shorter one read as if zeros followed it, and any
 * one unit is the XOR of all the others. The loop walks long views of the memory and is left to the JIT to vectorize: it is
 * bound by memory, far above disk and network.
 */
public final class Parity {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Parity() {}

    /**
     * XORs the readable bytes of {@code source} into the first bytes of {@code target}, from its reader index on. Indices
     * stay as they are.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void xorInto(ByteBuf target, ByteBuf source) {
        MemorySegment into = MemorySegment.ofBuffer(target.nioBuffer());
        long offset = 0;
        for (ByteBuffer part : source.nioBuffers()) {
            xorInto(into.asSlice(offset, part.remaining()), MemorySegment.ofBuffer(part));
            offset += part.remaining();
        }
    }

    static void xorInto(MemorySegment target, MemorySegment source) {
        int length = Math.toIntExact(source.byteSize());
        int longs = length & -Long.BYTES;
        for (int i = 0; i < longs; i += Long.BYTES) {
            target.set(LONG, i, target.get(LONG, i) ^ source.get(LONG, i));
        }
        for (int i = longs; i < length; i++) {
            target.set(BYTE, i, (byte) (target.get(BYTE, i) ^ source.get(BYTE, i)));
        }
    }
}
