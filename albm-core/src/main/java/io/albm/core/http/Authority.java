// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;

/** A host name or address with or without a port, as it stands in {@code Host} and in absolute targets (RFC 3986, 3.2). */
final class Authority {
    private static final int MAX_PORT_DIGITS = 5;
    private static final byte[] HTTP = "http://".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTPS = "https://".getBytes(StandardCharsets.US_ASCII);

    private Authority() {}

    /** Whether these bytes are one, without a user's name. */
    static boolean isValid(byte[] bytes, int from, int end) {
        int host = hostEnd(bytes, from, end);
        return host > from && isPort(bytes, host, end);
    }

    /** Where the host of a valid one ends and its port may begin. */
    static int hostEnd(byte[] bytes, int from, int end) {
        return from < end && bytes[from] == '[' ? endOfAddress(bytes, from, end) : endOfName(bytes, from, end);
    }

    private static int endOfName(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && Syntax.isHostName(bytes[at])) {
            at++;
        }
        return at;
    }

    private static int endOfAddress(byte[] bytes, int from, int end) {
        int at = from + 1;
        while (at < end && isAddress(bytes[at])) {
            at++;
        }
        return at > from + 1 && at < end && bytes[at] == ']' ? at + 1 : from;
    }

    private static boolean isAddress(byte b) {
        byte lower = Syntax.lower(b);
        return Syntax.isDigit(b) || b == ':' || b == '.' || (lower >= 'a' && lower <= 'f');
    }

    private static boolean isPort(byte[] bytes, int from, int end) {
        if (from == end) {
            return true;
        }
        if (bytes[from] != ':' || end - from - 1 > MAX_PORT_DIGITS) {
            return false;
        }
        for (int at = from + 1; at < end; at++) {
            if (!Syntax.isDigit(bytes[at])) {
                return false;
            }
        }
        return true;
    }

    /** Where the authority begins in an absolute target; {@code from} if the target has another form. */
    static int start(byte[] bytes, int from, int end) {
        if (Syntax.spells(bytes, from, Math.min(end, from + HTTP.length), HTTP)) {
            return from + HTTP.length;
        }
        return Syntax.spells(bytes, from, Math.min(end, from + HTTPS.length), HTTPS) ? from + HTTPS.length : from;
    }

    /** Where the authority of an absolute target ends. */
    static int end(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '/' && bytes[at] != '?') {
            at++;
        }
        return at;
    }
}
