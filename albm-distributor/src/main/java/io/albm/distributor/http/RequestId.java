// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import io.albm.core.http.Syntax;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** The name of one request in everybody's logs. */
final class RequestId {
    private static final int MAX_LENGTH = 128;
    private static final String MARKS = "-_.:+/=@";

    private RequestId() {}

    /** Whether the request has an id that is safe to log: one line of at most 128 letters, digits and some marks. */
    static boolean isWellFormed(RequestHead head) {
        if (!head.has(Field.X_REQUEST_ID) || head.isRepeated(Field.X_REQUEST_ID)) {
            return false;
        }
        int line = head.next(Field.X_REQUEST_ID, 0);
        int start = head.valueStart(line);
        int end = head.valueEnd(line);
        boolean good = end > start && end - start <= MAX_LENGTH;
        for (int at = start; good && at < end; at++) {
            good = isIdByte(head.bytes()[at]);
        }
        return good;
    }

    private static boolean isIdByte(byte b) {
        byte lower = Syntax.lower(b);
        return Syntax.isDigit(b) || (lower >= 'a' && lower <= 'z') || MARKS.indexOf(b) >= 0;
    }

    /** Writes a line with a new id of 128 random bits. */
    static void write(RandomGenerator random, HeadWriter to) {
        HexFormat hex = HexFormat.of();
        to.put("X-Request-Id: ").put(hex.toHexDigits(random.nextLong())).put(hex.toHexDigits(random.nextLong()));
        to.crlf();
    }
}
