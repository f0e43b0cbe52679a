// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import io.netty.buffer.ByteBuf;

/**
 * Reads a chunked body's framing (RFC 9112, 7.1) without touching its data: a run of data is one step, whatever its size.
 *
 * <p>Strict: at most {@value #MAX_SIZE_DIGITS} hexadecimal digits, no white space, extensions of token or quoted form and
 * at most {@value #MAX_EXTENSION} bytes of them per chunk, CR LF everywhere. A sender that pads a size or ends a line with
 * a bare LF could make two readers see two bodies.
 *
 * <p>Goes on where it stopped, in the middle of a number if need be. Not thread-safe.
 */
final class ChunkScanner {
    private static final int MAX_SIZE_DIGITS = 15;
    private static final int MAX_EXTENSION = 256;

    private enum Place {
        SIZE,
        EXTENSION_NAME,
        EXTENSION_VALUE,
        QUOTED,
        ESCAPED,
        QUOTED_END,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        LAST,
        BAD
    }

    private Place place = Place.SIZE;
    private long left;
    private int digits;
    private int extension;
    private boolean itemBegan;

    void reset() {
        place = Place.SIZE;
        left = 0;
        digits = 0;
        extension = 0;
    }

    /** The line of the last chunk has been read; trailers follow. */
    boolean isLast() {
        return place == Place.LAST;
    }

    boolean isBad() {
        return place == Place.BAD;
    }

    /** The next step is over data, not over framing. */
    boolean isInData() {
        return place == Place.DATA;
    }

    /**
     * Goes one step on: over one byte of framing, or over all the data of this chunk that there is.
     *
     * @param at where to go on, below {@code end}
     * @return where it stopped
     */
    int step(ByteBuf in, int at, int end) {
        if (place == Place.DATA) {
            return data(at, end);
        }
        place = after(in.getByte(at));
        return at + 1;
    }

    private int data(int at, int end) {
        int run = (int) Math.min(left, end - at);
        left -= run;
        if (left == 0) {
            place = Place.DATA_CR;
        }
        return at + run;
    }

    private Place after(byte b) {
        return switch (place) {
            case SIZE -> size(b);
            case EXTENSION_NAME -> extensionName(b);
            case EXTENSION_VALUE -> extensionValue(b);
            case QUOTED -> quoted(b);
            case ESCAPED -> counted(Syntax.isValue(b), Place.QUOTED);
            case QUOTED_END -> itemEnd(b);
            case SIZE_LF -> b == '\n' ? chunkBegins() : Place.BAD;
            case DATA_CR -> b == '\r' ? Place.DATA_LF : Place.BAD;
            case DATA_LF -> b == '\n' ? nextChunk() : Place.BAD;
            case DATA, LAST, BAD -> Place.BAD;
        };
    }

    private Place size(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0) {
            left = left << 4 | digit;
            return ++digits <= MAX_SIZE_DIGITS ? Place.SIZE : Place.BAD;
        }
        return digits == 0 ? Place.BAD : itemEnd(b);
    }

    private Place itemEnd(byte b) {
        if (b == '\r') {
            return Place.SIZE_LF;
        }
        itemBegan = false;
        return counted(b == ';', Place.EXTENSION_NAME);
    }

    private Place extensionName(byte b) {
        if (Syntax.isToken(b)) {
            itemBegan = true;
            return counted(true, Place.EXTENSION_NAME);
        }
        if (!itemBegan) {
            return Place.BAD;
        }
        if (b == '=') {
            itemBegan = false;
            return counted(true, Place.EXTENSION_VALUE);
        }
        return itemEnd(b);
    }

    private Place extensionValue(byte b) {
        if (Syntax.isToken(b)) {
            itemBegan = true;
            return counted(true, Place.EXTENSION_VALUE);
        }
        if (itemBegan) {
            return itemEnd(b);
        }
        return counted(b == '"', Place.QUOTED);
    }

    private Place quoted(byte b) {
        if (b == '"') {
            return counted(true, Place.QUOTED_END);
        }
        return b == '\\' ? counted(true, Place.ESCAPED) : counted(Syntax.isValue(b), Place.QUOTED);
    }

    private Place counted(boolean allowed, Place next) {
        return allowed && ++extension <= MAX_EXTENSION ? next : Place.BAD;
    }

    private Place chunkBegins() {
        return left == 0 ? Place.LAST : Place.DATA;
    }

    private Place nextChunk() {
        reset();
        return Place.SIZE;
    }
}
