// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import org.jspecify.annotations.Nullable;

/** What a Range header asks of a document (RFC 9110, section 14). */
sealed interface ByteRange {

    /** No range, or one that a server may ignore: malformed, of another unit, or of several parts. */
    record Whole() implements ByteRange {}

    /**
     * One part that the document has.
     *
     * @param first position of the first byte, from 0
     * @param last position of the last byte, inclusive
     */
    record Part(long first, long last) implements ByteRange {
        long bytes() {
            return last - first + 1;
        }
    }

    /** A valid range of which the document has no byte. */
    record Unsatisfiable() implements ByteRange {}

    String UNIT = "bytes=";

    /**
     * Reads a Range header.
     *
     * @param header the Range header, if there is one
     * @param bytes size of the document
     */
    static ByteRange parse(@Nullable String header, long bytes) {
        if (header == null || !header.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return new Whole();
        }
        String range = header.substring(UNIT.length()).strip();
        int dash = range.indexOf('-');
        if (dash < 0) {
            return new Whole();
        }
        String first = range.substring(0, dash).strip();
        String last = range.substring(dash + 1).strip();
        boolean hasFirst = isNumber(first);
        boolean hasLast = isNumber(last);
        if (first.isEmpty() && hasLast) {
            return suffix(number(last), bytes);
        }
        return hasFirst && (hasLast || last.isEmpty())
                ? part(number(first), hasLast ? number(last) : Long.MAX_VALUE, bytes)
                : new Whole();
    }

    private static ByteRange suffix(long length, long bytes) {
        return length == 0 || bytes == 0 ? new Unsatisfiable() : new Part(Math.max(0, bytes - length), bytes - 1);
    }

    private static ByteRange part(long first, long last, long bytes) {
        if (last < first) {
            return new Whole();
        }
        return first >= bytes ? new Unsatisfiable() : new Part(first, Math.min(last, bytes - 1));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Beyond 18 digits no document reaches; the largest number means the same. */
    private static long number(String digits) {
        return digits.length() > 18 ? Long.MAX_VALUE - 1 : Long.parseLong(digits);
    }
}
