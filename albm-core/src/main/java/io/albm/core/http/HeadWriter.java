// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Puts a head together in an array that is used again and again, to be copied into one buffer of the right size in the
 * end. Not thread-safe.
 */
public final class HeadWriter {
    private static final int FIRST_CAPACITY = 2 << 10;
    private static final int MAX_DIGITS = 20;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;

    /** Forgets what was written. */
    public HeadWriter clear() {
        length = 0;
        return this;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** Writes bytes as they are. */
    public HeadWriter put(byte[] from) {
        return put(from, 0, from.length);
    }

    /** Writes a run of bytes, such as one of a {@link Head}. */
    public HeadWriter put(byte[] from, int start, int end) {
        reserve(end - start);
        System.arraycopy(from, start, bytes, length, end - start);
        length += end - start;
        return this;
    }

    /** Writes a run of bytes of a buffer. */
    public HeadWriter put(ByteBuf from, int start, int count) {
        reserve(count);
        from.getBytes(start, bytes, length, count);
        length += count;
        return this;
    }

    /** Writes text of characters below 256. */
    public HeadWriter put(String text) {
        return put(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes a number that is not negative. */
    public HeadWriter put(long number) {
        reserve(MAX_DIGITS);
        long power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (; power > 0; power /= 10) {
            bytes[length++] = (byte) ('0' + number / power % 10);
        }
        return this;
    }

    /** Writes a character below 256. */
    public HeadWriter put(char one) {
        reserve(1);
        bytes[length++] = (byte) one;
        return this;
    }

    /** Ends a line. */
    public HeadWriter crlf() {
        return put('\r').put('\n');
    }

    /**
     * Copies the header lines but those of the given fields, and those that {@code Connection} names.
     *
     * @param dropped see {@link Field#set}
     */
    public HeadWriter lines(Head head, long dropped) {
        boolean named = head.namesFields();
        if (!named && !head.hasAny(dropped)) {
            return put(head.bytes(), head.lineStart(0), head.lineStart(head.count()));
        }
        int runStart = head.lineStart(0);
        for (int line = 0; line < head.count(); line++) {
            if (isDropped(head, line, dropped, named)) {
                put(head.bytes(), runStart, head.lineStart(line));
                runStart = head.lineStart(line + 1);
            }
        }
        return put(head.bytes(), runStart, head.lineStart(head.count()));
    }

    private static boolean isDropped(Head head, int line, long dropped, boolean named) {
        long field = head.field(line).bit();
        return (field & dropped) != 0 || (named && (field & NEVER_BY_NAME) == 0 && ConnectionOptions.name(head, line));
    }

    /** A client that could have these removed by naming them would choose where its body ends, or whom it talks to. */
    private static final long NEVER_BY_NAME =
            Field.set(Field.HOST, Field.CONTENT_LENGTH, Field.TRANSFER_ENCODING, Field.UPGRADE);

    /**
     * What was written, in a buffer of its own.
     *
     * @param slack bytes that can still be written behind it
     */
    public ByteBuf toBuffer(ByteBufAllocator allocator, int slack) {
        return allocator.directBuffer(length + slack, length + slack).writeBytes(bytes, 0, length);
    }

    /** How many bytes were written. */
    public int length() {
        return length;
    }

    /** What was written, in an array of its own. */
    public ByteBuffer copy() {
        return ByteBuffer.wrap(Arrays.copyOf(bytes, length));
    }

    /** Appends what was written to a buffer that has room for it. */
    public ByteBuf appendTo(ByteBuf buffer) {
        return buffer.writeBytes(bytes, 0, length);
    }
}
