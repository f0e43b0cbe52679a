// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of one kernel file, and what it takes to find numbers in it without making an object.
 *
 * <p>Positions are byte offsets; {@link #ABSENT} stands for "no such line, field or number", and every method accepts
 * it and passes it on, so that a chain of look-ups needs one check at its end. Not thread-safe: the buffer is reused by
 * the {@link ProcFile} that fills it.
 */
public final class ProcText {
    /** No such line, field or number. */
    public static final int ABSENT = -1;

    private byte[] bytes;
    private int length;

    ProcText(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** A text that was read in another way than by a {@link ProcFile}. */
    public static ProcText of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        ProcText result = new ProcText(bytes.length);
        result.fill(ByteBuffer.wrap(bytes));
        return result;
    }

    /** A label to look for; made once and kept in a constant. */
    public static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void fill(ByteBuffer source) {
        length = source.remaining();
        if (length > bytes.length) {
            bytes = new byte[source.capacity()];
        }
        source.get(bytes, 0, length);
    }

    /** Bytes in the text. */
    public int length() {
        return length;
    }

    /** The number after {@code label} on the first line that starts with it, or {@link #ABSENT}. */
    public long numberAfter(byte[] label) {
        return numberAt(afterLabel(label, 0));
    }

    /** The position behind {@code label} on the first line, from the line at {@code from}, that starts with it. */
    public int afterLabel(byte[] label, int from) {
        int line = from;
        while (line != ABSENT) {
            if (startsWith(label, line)) {
                return line + label.length;
            }
            line = nextLine(line);
        }
        return ABSENT;
    }

    /** Whether the bytes at {@code position} are {@code label}. */
    public boolean startsWith(byte[] label, int position) {
        int end = position + label.length;
        return end <= length && Arrays.equals(bytes, position, end, label, 0, label.length);
    }

    /** The start of the line after the one that {@code position} is in, or {@link #ABSENT} behind the last. */
    public int nextLine(int position) {
        for (int i = position; i >= 0 && i < length - 1; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return ABSENT;
    }

    /** The start of the {@code index}-th (from 0) blank-separated field at or after {@code position}, on its line. */
    public int field(int position, int index) {
        int at = skipBlanks(position);
        for (int skipped = 0; skipped < index && at != ABSENT; skipped++) {
            at = skipBlanks(fieldEnd(at));
        }
        return at;
    }

    /** How many fields lie before the field {@code name} on the line at {@code position}, or {@link #ABSENT}. */
    public int fieldIndex(int position, byte[] name) {
        int at = skipBlanks(position);
        for (int index = 0; at != ABSENT; index++) {
            if (startsWith(name, at) && fieldEnd(at) == at + name.length) {
                return index;
            }
            at = skipBlanks(fieldEnd(at));
        }
        return ABSENT;
    }

    /**
     * The decimal number at {@code position}, after blanks, or {@link #ABSENT}. Numbers beyond {@link Long#MAX_VALUE}
     * saturate: the kernel prints unsigned values.
     */
    public long numberAt(int position) {
        int at = skipBlanks(position);
        if (at == ABSENT || !isDigit(at)) {
            return ABSENT;
        }
        long number = 0;
        for (; isDigit(at); at++) {
            int digit = bytes[at] - '0';
            if (number > (Long.MAX_VALUE - digit) / 10) {
                return Long.MAX_VALUE;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** The position of the first {@code wanted} byte at or after {@code position} on its line, or {@link #ABSENT}. */
    public int find(char wanted, int position) {
        for (int i = position; i >= 0 && i < length && bytes[i] != '\n'; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return ABSENT;
    }

    /** The first position at or after {@code position} that is not blank, or {@link #ABSENT} at the line's end. */
    public int skipBlanks(int position) {
        for (int i = position; i >= 0 && i < length && bytes[i] != '\n'; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t') {
                return i;
            }
        }
        return ABSENT;
    }

    private int fieldEnd(int start) {
        int i = start;
        while (i < length && bytes[i] > ' ') {
            i++;
        }
        return i;
    }

    private boolean isDigit(int position) {
        return position < length && bytes[position] >= '0' && bytes[position] <= '9';
    }

    /** The bytes from {@code start} to {@code end} as a string; allocates, for names that are seen for the first time. */
    public String substring(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.US_ASCII);
    }

    /** The text as a string; allocates, for messages only. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
