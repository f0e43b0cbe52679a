// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The arithmetic that parity is made of, on whole buffers: each byte is an element of GF(2^8). The memory is walked in windows
 * that fit the processor's first cache, as arrays of longs. Loops over these are fast whichever compiler made them: storage
 * nodes use the first one alone, whose code for loops over foreign memory takes ten times as long. All of it is bound by memory,
 * far above disk and network.
 *
 * <p>All of them change {@code target} in place and leave the indices of both buffers as they are; a {@code source} that is
 * shorter is taken as if zeros followed it.
 */
public final class Parity {
    private static final int WINDOW_BYTES = 8 * 1024;

    private Parity() {}

    /** What is done to a window of the target. */
    @FunctionalInterface
    private interface Step {
        void apply(long[] target, long[] source, int longs);
    }

    /**
     * Adds the readable bytes of {@code source} to those of {@code target}.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void xorInto(ByteBuf target, ByteBuf source) {
        ByteBuffer _ = walk(target, source, Parity::xor);
    }

    /**
     * Doubles the readable bytes of {@code target} and adds those of {@code source}: one step of Horner's rule.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void doubleAndXorInto(ByteBuf target, ByteBuf source) {
        multiply(walk(target, source, Parity::doubleAndXor), 2);
    }

    /**
     * Halves the readable bytes of {@code target} and adds those of {@code source}: one step of Horner's rule from the other end.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    static void halveAndXorInto(ByteBuf target, ByteBuf source) {
        multiply(walk(target, source, Parity::halveAndXor), GaloisField.HALF);
    }

    /** Multiplies the readable bytes of {@code target} by {@code factor}, 0 to 255. */
    public static void multiply(ByteBuf target, int factor) {
        multiply(target.nioBuffer(), factor);
    }

    private static void multiply(ByteBuffer target, int factor) {
        walk(target, ByteBuffer.allocate(0), (ours, _, longs) -> multiply(ours, factor, longs));
    }

    private static void xor(long[] target, long[] source, int longs) {
        for (int i = 0; i < longs; i++) {
            target[i] ^= source[i];
        }
    }

    private static void doubleAndXor(long[] target, long[] source, int longs) {
        for (int i = 0; i < longs; i++) {
            target[i] = GaloisField.doubled(target[i]) ^ source[i];
        }
    }

    private static void halveAndXor(long[] target, long[] source, int longs) {
        for (int i = 0; i < longs; i++) {
            target[i] = GaloisField.halved(target[i]) ^ source[i];
        }
    }

    private static void multiply(long[] target, int factor, int longs) {
        for (int i = 0; i < longs; i++) {
            target[i] = GaloisField.product(target[i], factor);
        }
    }

    /** @return the part of the target that the source has nothing for */
    private static ByteBuffer walk(ByteBuf target, ByteBuf source, Step step) {
        ByteBuffer rest = target.nioBuffer();
        for (ByteBuffer part : source.nioBuffers()) {
            walk(rest.slice(0, part.remaining()), part, step);
            rest = rest.slice(part.remaining(), rest.remaining() - part.remaining());
        }
        return rest;
    }

    /** @param source as long as the target, or empty */
    private static void walk(ByteBuffer target, ByteBuffer source, Step step) {
        long[] ours = new long[longs(Math.min(WINDOW_BYTES, target.remaining()))];
        long[] theirs = new long[source.hasRemaining() ? ours.length : 0];
        for (int at = 0; at < target.remaining(); at += WINDOW_BYTES) {
            int bytes = Math.min(WINDOW_BYTES, target.remaining() - at);
            ByteBuffer window = target.slice(at, bytes);
            load(window, ours);
            if (source.hasRemaining()) {
                load(source.slice(source.position() + at, bytes), theirs);
            }
            step.apply(ours, theirs, longs(bytes));
            store(ours, window);
        }
    }

    private static int longs(int bytes) {
        return Math.ceilDiv(bytes, Long.BYTES);
    }

    /** The order of the bytes in a long does not matter, as long as it is the same everywhere. */
    private static void load(ByteBuffer window, long[] longs) {
        int whole = window.remaining() / Long.BYTES;
        window.order(ByteOrder.nativeOrder()).asLongBuffer().get(0, longs, 0, whole);
        if (whole < longs(window.remaining())) {
            longs[whole] = tail(window).getLong(0);
        }
    }

    private static void store(long[] longs, ByteBuffer window) {
        int whole = window.remaining() / Long.BYTES;
        window.asLongBuffer().put(0, longs, 0, whole);
        int rest = window.remaining() - whole * Long.BYTES;
        if (rest > 0) {
            byte[] last =
                    ByteBuffer.allocate(Long.BYTES).putLong(0, longs[whole]).array();
            window.put(whole * Long.BYTES, last, 0, rest);
        }
    }

    /** The last bytes, with zeros to a whole long. */
    private static ByteBuffer tail(ByteBuffer window) {
        int whole = window.remaining() / Long.BYTES * Long.BYTES;
        byte[] last = new byte[Long.BYTES];
        window.get(whole, last, 0, window.remaining() - whole);
        return ByteBuffer.wrap(last);
    }
}
