// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;

/** Reads the two fields that say how long a body is, in the one form that cannot be read in two ways. */
final class ContentLength {
    private static final int MAX_DIGITS = 18;
    private static final byte[] CHUNKED = "chunked".getBytes(StandardCharsets.US_ASCII);

    private ContentLength() {}

    /** The number of bytes; -1 unless there is one line with one number of at most 18 digits. */
    static long of(Head head) {
        int line = head.next(Field.CONTENT_LENGTH, 0);
        return head.isRepeated(Field.CONTENT_LENGTH)
                ? -1
                : number(head.bytes(), head.valueStart(line), head.valueEnd(line));
    }

    private static long number(byte[] bytes, int from, int end) {
        if (from == end || end - from > MAX_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int at = from; at < end; at++) {
            if (!Syntax.isDigit(bytes[at])) {
                return -1;
            }
            number = number * 10 + (bytes[at] - '0');
        }
        return number;
    }

    /** Whether the only transfer coding is {@code chunked}. */
    static boolean isChunkedAlone(Head head) {
        return !head.isRepeated(Field.TRANSFER_ENCODING)
                && head.valueSpells(head.next(Field.TRANSFER_ENCODING, 0), CHUNKED);
    }
}
