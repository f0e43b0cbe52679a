// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;

/**
 * What a message's {@code Connection} lines say (RFC 9110, 7.6.1): how the connection goes on, and the names of fields
 * that are meant for one hop only. A reader over the head's bytes; nothing is stored.
 */
final class ConnectionOptions {
    static final int CLOSE = 1;
    static final int KEEP_ALIVE = 1 << 1;
    static final int UPGRADE = 1 << 2;
    /** There are options that name other fields. */
    static final int NAMES = 1 << 3;

    private static final byte[] CLOSE_WORD = "close".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEEP_ALIVE_WORD = "keep-alive".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UPGRADE_WORD = "upgrade".getBytes(StandardCharsets.US_ASCII);

    private ConnectionOptions() {}

    /** The set of options. */
    static int of(Head head) {
        int options = 0;
        if (head.has(Field.CONNECTION)) {
            for (int line = head.next(Field.CONNECTION, 0);
                    line < head.count();
                    line = head.next(Field.CONNECTION, line + 1)) {
                options |= ofLine(head.bytes(), head.valueStart(line), head.valueEnd(line));
            }
        }
        return options;
    }

    private static int ofLine(byte[] bytes, int from, int end) {
        int options = 0;
        for (int start = from; start < end; start = endOfItem(bytes, start, end) + 1) {
            options |= option(bytes, trimStart(bytes, start, end), trimmedEnd(bytes, start, end));
        }
        return options;
    }

    private static int option(byte[] bytes, int from, int end) {
        if (from >= end) {
            return 0;
        }
        if (Syntax.spells(bytes, from, end, CLOSE_WORD)) {
            return CLOSE;
        }
        if (Syntax.spells(bytes, from, end, KEEP_ALIVE_WORD)) {
            return KEEP_ALIVE;
        }
        return Syntax.spells(bytes, from, end, UPGRADE_WORD) ? UPGRADE : NAMES;
    }

    /** Whether the name of that header line is among the options. */
    static boolean name(Head head, int line) {
        for (int options = head.next(Field.CONNECTION, 0);
                options < head.count();
                options = head.next(Field.CONNECTION, options + 1)) {
            if (lists(head, options, line)) {
                return true;
            }
        }
        return false;
    }

    private static boolean lists(Head head, int options, int line) {
        byte[] bytes = head.bytes();
        int end = head.valueEnd(options);
        for (int start = head.valueStart(options); start < end; start = endOfItem(bytes, start, end) + 1) {
            if (same(bytes, trimStart(bytes, start, end), trimmedEnd(bytes, start, end), head, line)) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(byte[] bytes, int from, int end, Head head, int line) {
        int name = head.nameStart(line);
        if (end - from != head.nameEnd(line) - name) {
            return false;
        }
        for (int i = 0; i < end - from; i++) {
            if (Syntax.lower(bytes[from + i]) != Syntax.lower(bytes[name + i])) {
                return false;
            }
        }
        return true;
    }

    private static int endOfItem(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != ',') {
            at++;
        }
        return at;
    }

    private static int trimStart(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && Syntax.isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static int trimmedEnd(byte[] bytes, int from, int end) {
        int at = endOfItem(bytes, from, end);
        while (at > from && Syntax.isSpace(bytes[at - 1])) {
            at--;
        }
        return at;
    }
}
