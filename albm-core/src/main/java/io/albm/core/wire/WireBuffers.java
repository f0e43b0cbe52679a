// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes the fields of frame headers. Every read checks what is left and its own bound first, and fails with
 * {@link WireCode#MALFORMED}: a header comes from another machine.
 */
public final class WireBuffers {

    /** The longest string a header may hold, in bytes of UTF-8. */
    public static final int MAX_STRING_BYTES = 4096;

    private static final int MAX_VARINT_BYTES = 10;

    private WireBuffers() {}

    /** Writes a string as its length (unsigned 16 bit) and its UTF-8 bytes. */
    public static void putString(ByteBuf out, String text) {
        int bytes = ByteBufUtil.utf8Bytes(text);
        if (bytes > MAX_STRING_BYTES) {
            throw new IllegalArgumentException(
                    "string of %d bytes, expected at most %d".formatted(bytes, MAX_STRING_BYTES));
        }
        out.writeShort(bytes);
        ByteBufUtil.writeUtf8(out, text);
    }

    /** Reads a string that is at most {@link #MAX_STRING_BYTES} long and valid UTF-8. */
    public static String getString(ByteBuf in) {
        require(in, Short.BYTES);
        int bytes = in.readUnsignedShort();
        if (bytes > MAX_STRING_BYTES) {
            throw malformed("a string of %d bytes, at most %d are allowed".formatted(bytes, MAX_STRING_BYTES));
        }
        require(in, bytes);
        return decode(in, bytes);
    }

    /** Writes a non-negative number in 1..9 bytes, seven bits each, least significant first. */
    public static void putVarint(ByteBuf out, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("varint of %d, expected 0 or more".formatted(value));
        }
        long rest = value;
        while (rest > 0x7F) {
            out.writeByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    /** Reads what {@link #putVarint} wrote. */
    public static long getVarint(ByteBuf in) {
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES - 1; i++) {
            int next = getByte(in);
            value |= (next & 0x7FL) << (7 * i);
            if (next < 0x80) {
                return value;
            }
        }
        throw malformed("a number of more than 63 bits");
    }

    /** Reads an unsigned byte. */
    public static int getByte(ByteBuf in) {
        require(in, Byte.BYTES);
        return in.readUnsignedByte();
    }

    /** Reads a 32-bit number. */
    public static int getInt(ByteBuf in) {
        require(in, Integer.BYTES);
        return in.readInt();
    }

    /** Reads a 32-bit number that must lie in a range, both ends included. */
    public static int getInt(ByteBuf in, int min, int max) {
        int value = getInt(in);
        if (value < min || value > max) {
            throw malformed("the number %d, expected %d..%d".formatted(value, min, max));
        }
        return value;
    }

    /** Reads a 64-bit number. */
    public static long getLong(ByteBuf in) {
        require(in, Long.BYTES);
        return in.readLong();
    }

    /** Reads a 64-bit number that must lie in a range, both ends included. */
    public static long getLong(ByteBuf in, long min, long max) {
        long value = getLong(in);
        if (value < min || value > max) {
            throw malformed("the number %d, expected %d..%d".formatted(value, min, max));
        }
        return value;
    }

    /** Fails unless every byte was read: a longer header is of a format that this node does not know. */
    public static void requireEnd(ByteBuf in) {
        if (in.isReadable()) {
            throw malformed("%d bytes after its last field".formatted(in.readableBytes()));
        }
    }

    private static void require(ByteBuf in, int bytes) {
        if (in.readableBytes() < bytes) {
            throw malformed("%d bytes where %d are needed".formatted(in.readableBytes(), bytes));
        }
    }

    private static String decode(ByteBuf in, int bytes) {
        var copy = new byte[bytes];
        in.readBytes(copy);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(copy))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("a string that is not UTF-8");
        }
    }

    private static WireException malformed(String what) {
        return new WireException(WireCode.MALFORMED, "frame header holds " + what);
    }
}
