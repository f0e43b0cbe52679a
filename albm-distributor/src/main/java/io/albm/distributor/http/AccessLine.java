// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes a line of the access log for a request that is over, in one of the formats that tools read.
 *
 * <p>What a client sends can hold quotes, and bytes beyond ASCII; they are escaped, so that a line is one line and a field
 * one field. Belongs to one event loop.
 */
public final class AccessLine {
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final DateTimeFormatter COMMON_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final AccessFormat format;
    private long second = -1;
    private byte[] time = new byte[0];

    public AccessLine(AccessFormat format) {
        this.format = format;
    }

    /**
     * How a request ended.
     *
     * @param endedMillis by the wall clock
     * @param status that the client got, or 499 if it did not wait
     * @param bytes of the response's body
     * @param nanos from its head to its end
     * @param backend who answered last; {@code -} if none was asked
     */
    public record End(long endedMillis, int status, long bytes, long nanos, String backend) {}

    /** Appends the line, its line break included. */
    public void write(RequestHead head, Client client, End end, HeadWriter to) {
        switch (format) {
            case COMMON -> common(head, client, end, to);
            case COMBINED -> {
                common(head, client, end, to);
                to.put(" ");
                quoted(head, Field.REFERER, to);
                to.put(" ");
                quoted(head, Field.USER_AGENT, to);
            }
            case JSON -> json(head, client, end, to);
        }
        to.put("\n");
    }

    private void common(RequestHead head, Client client, End end, HeadWriter to) {
        to.put(client.address()).put(" - - [").put(time(end.endedMillis)).put("] \"");
        escaped(head, head.methodStart(), head.versionEnd(), to);
        to.put("\" ").put(end.status).put(" ").put(end.bytes);
    }

    private byte[] time(long millis) {
        long now = Math.floorDiv(millis, MILLIS_PER_SECOND);
        if (now != second) {
            second = now;
            Instant at = Instant.ofEpochSecond(now);
            String text = format == AccessFormat.JSON ? at.toString() : COMMON_TIME.format(at);
            time = text.getBytes(StandardCharsets.US_ASCII);
        }
        return time;
    }

    private static void quoted(RequestHead head, Field field, HeadWriter to) {
        to.put("\"");
        int line = head.next(field, 0);
        if (line < head.count()) {
            escaped(head, head.valueStart(line), head.valueEnd(line), to);
        } else {
            to.put("-");
        }
        to.put("\"");
    }

    private static void escaped(RequestHead head, int from, int end, HeadWriter to) {
        escaped(head, from, end, "\\x", to);
    }

    /** Quotes and backslashes get a backslash, what is not printable ASCII its two hexadecimal digits. */
    private static void escaped(RequestHead head, int from, int end, String beforeHex, HeadWriter to) {
        byte[] bytes = head.bytes();
        int runStart = from;
        for (int at = from; at < end; at++) {
            byte b = bytes[at];
            if (b < ' ' || b == 0x7f || b == '"' || b == '\\') {
                to.put(bytes, runStart, at);
                runStart = at + 1;
                escape(b, beforeHex, to);
            }
        }
        to.put(bytes, runStart, end);
    }

    private static void escape(byte b, String beforeHex, HeadWriter to) {
        if (b == '"' || b == '\\') {
            to.put('\\').put((char) b);
        } else {
            to.put(beforeHex).put((char) HEX[b >> 4 & 0xf]).put((char) HEX[b & 0xf]);
        }
    }

    private void json(RequestHead head, Client client, End end, HeadWriter to) {
        to.put("{\"time\":\"").put(time(end.endedMillis));
        to.put("\",\"client\":\"").put(client.address());
        jsonText("\",\"method\":\"", head, head.methodStart(), head.targetStart() - 1, to);
        jsonText("\",\"target\":\"", head, head.targetStart(), head.targetEnd(), to);
        jsonText("\",\"version\":\"", head, head.versionStart(), head.versionEnd(), to);
        to.put("\",\"status\":").put(end.status).put(",\"bytes\":").put(end.bytes);
        to.put(",\"micros\":").put(end.nanos / NANOS_PER_MICRO);
        to.put(",\"backend\":\"").put(end.backend);
        jsonField("\",\"host\":\"", head, Field.HOST, to);
        jsonField("\",\"referer\":\"", head, Field.REFERER, to);
        jsonField("\",\"userAgent\":\"", head, Field.USER_AGENT, to);
        jsonField("\",\"requestId\":\"", head, Field.X_REQUEST_ID, to);
        to.put("\"}");
    }

    private static void jsonField(String name, RequestHead head, Field field, HeadWriter to) {
        int line = head.next(field, 0);
        if (line < head.count()) {
            jsonText(name, head, head.valueStart(line), head.valueEnd(line), to);
        }
    }

    private static void jsonText(String name, RequestHead head, int from, int end, HeadWriter to) {
        to.put(name);
        escaped(head, from, end, "\\u00", to);
    }
}
