// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The arithmetic that parity is made of, on whole buffers: each byte is an element of GF(2^8). The memory is walked in windows
 * that fit the processor's first cache, as arrays of longs: a window of every source is loaded once, and what comes of them is
 * stored once. Loops over arrays are fast whichever compiler made them: storage nodes use the first one alone, whose code for
 * loops over foreign memory takes ten times as long. All of it is bound by memory, far above disk and network.
 *
 * <p>All of them change {@code target} in place and leave the indices of all buffers as they are; a source that is shorter is
 * taken as if zeros followed it.
 */
public final class Parity {
    private static final int WINDOW_BYTES = 8 * 1024;

    /** Sources whose windows are loaded at a time, and added in one walk. */
    private static final int GROUP = 3;

    private Parity() {}

    /** What windows of more sources, one after the other, do to that of the target. */
    @FunctionalInterface
    private interface Step {
        void apply(long[] target, List<long[]> sources, int longs);
    }

    /**
     * Makes the readable bytes of {@code target} the sum of those of {@code sources}.
     *
     * @param sources at least one
     * @throws IndexOutOfBoundsException if one of them is longer than {@code target}
     */
    static void sum(ByteBuf target, List<ByteBuf> sources) {
        List<ByteBuf> terms = sources.stream().filter(ByteBuf::isReadable).toList();
        fold(target, terms.isEmpty() ? sources.subList(0, 1) : terms, Parity::xor);
    }

    /**
     * Makes the readable bytes of {@code target} the sum of those of {@code sources}, the first one doubled as often as others
     * follow, and so on: Horner's rule.
     *
     * @param sources at least one
     * @throws IndexOutOfBoundsException if one of them is longer than {@code target}
     */
    static void doublingSum(ByteBuf target, List<ByteBuf> sources) {
        fold(target, sources, (ours, all, longs) -> all.forEach(theirs -> doubleAndXor(ours, theirs, longs)));
    }

    /**
     * Adds the readable bytes of {@code source} to those of {@code target}.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    public static void xorInto(ByteBuf target, ByteBuf source) {
        sum(target, List.of(target, source));
    }

    /**
     * Halves the readable bytes of {@code target} and adds those of {@code source}: one step of Horner's rule from the other end.
     *
     * @throws IndexOutOfBoundsException if {@code source} is longer than {@code target}
     */
    static void halveAndXorInto(ByteBuf target, ByteBuf source) {
        fold(target, List.of(target, source), (ours, one, longs) -> halveAndXor(ours, one.getFirst(), longs));
    }

    /** Multiplies the readable bytes of {@code target} by {@code factor}, 0 to 255. */
    static void multiply(ByteBuf target, int factor) {
        fold(target, List.of(target, Unpooled.EMPTY_BUFFER), (ours, _, longs) -> multiply(ours, factor, longs));
    }

    /** The first compiler's loop is bound by what it does beside adding: three sources in one walk take two thirds of the time. */
    private static void xor(long[] target, List<long[]> sources, int longs) {
        if (sources.size() == GROUP) {
            xor(target, sources.get(0), sources.get(1), sources.get(2), longs);
        } else {
            sources.forEach(source -> xor(target, source, longs));
        }
    }

    private static void xor(long[] target, long[] first, long[] second, long[] third, int longs) {
        for (int i = 0; i < longs; i++) {
            target[i] ^= first[i] ^ second[i] ^ third[i];
        }
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

    private static void fold(ByteBuf target, List<ByteBuf> sources, Step step) {
        int length = target.readableBytes();
        sources.forEach(source -> Objects.checkFromToIndex(0, source.readableBytes(), length));
        List<ByteBuf> others = sources.subList(1, sources.size());
        long[] ours = new long[longs(Math.min(WINDOW_BYTES, length))];
        List<long[]> theirs = Stream.generate(() -> new long[ours.length])
                .limit(Math.min(GROUP, others.size()))
                .toList();
        for (int at = 0; at < length; at += WINDOW_BYTES) {
            int bytes = Math.min(WINDOW_BYTES, length - at);
            load(sources.getFirst(), at, bytes, ours);
            for (int done = 0; done < others.size(); done += GROUP) {
                int count = Math.min(GROUP, others.size() - done);
                for (int i = 0; i < count; i++) {
                    load(others.get(done + i), at, bytes, theirs.get(i));
                }
                step.apply(ours, theirs.subList(0, count), longs(bytes));
            }
            store(ours, target.nioBuffer(target.readerIndex() + at, bytes));
        }
    }

    private static int longs(int bytes) {
        return Math.ceilDiv(bytes, Long.BYTES);
    }

    /** The order of the bytes in a long does not matter, as long as it is the same everywhere. */
    private static void load(ByteBuf source, int at, int bytes, long[] longs) {
        int count = Math.clamp(source.readableBytes() - (long) at, 0, bytes);
        int whole = count / Long.BYTES;
        Arrays.fill(longs, whole, longs(bytes), 0);
        if (count > 0) {
            ByteBuffer window = source.nioBuffer(source.readerIndex() + at, count);
            inLongs(window).get(0, longs, 0, whole);
            if (longs(count) > whole) {
                longs[whole] = tail(window, whole);
            }
        }
    }

    private static LongBuffer inLongs(ByteBuffer window) {
        return window.order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private static void store(long[] longs, ByteBuffer window) {
        int whole = window.remaining() / Long.BYTES;
        inLongs(window).put(0, longs, 0, whole);
        int rest = window.remaining() - whole * Long.BYTES;
        if (rest > 0) {
            window.put(window.position() + whole * Long.BYTES, oneLong().putLong(0, longs[whole]), 0, rest);
        }
    }

    /** The bytes behind so many whole longs, with zeros to a long. */
    private static long tail(ByteBuffer window, int whole) {
        int at = whole * Long.BYTES;
        return oneLong()
                .put(0, window, window.position() + at, window.remaining() - at)
                .getLong(0);
    }

    private static ByteBuffer oneLong() {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    }
}
