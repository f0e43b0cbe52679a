// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a well-formed head must say to be forwarded (RFC 9110 and 9112): one length, one host, one target, a known
 * version. Whoever breaks a rule gets an answer and loses the connection, since the start of the next request is unsure.
 */
final class RequestRules {
    private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EXPECT_CONTINUE = "100-continue".getBytes(StandardCharsets.US_ASCII);

    private static final Refusal NO_VERSION =
            Refusal.badRequest("request line: expected method, target and version such as HTTP/1.1");
    private static final Refusal VERSION = new Refusal(505, "version: expected HTTP/1.0 or HTTP/1.1");
    private static final Refusal CONNECT = new Refusal(501, "CONNECT: this is not a tunnel");
    private static final Refusal LENGTH_AND_CHUNKS =
            Refusal.badRequest("Transfer-Encoding with Content-Length: expected one of them");
    private static final Refusal CHUNKS_IN_HTTP10 =
            Refusal.badRequest("Transfer-Encoding in HTTP/1.0: expected Content-Length");
    private static final Refusal CODING = new Refusal(501, "Transfer-Encoding: expected chunked alone");
    private static final Refusal LENGTH = Refusal.badRequest("Content-Length: expected one number");
    private static final Refusal HOST = Refusal.badRequest("Host: expected one host name or address");
    private static final Refusal TARGET = Refusal.badRequest("request target: expected a path or an http URI");
    private static final Refusal EXPECTATION = new Refusal(417, "Expect: expected 100-continue");

    private RequestRules() {}

    /** The first broken rule; null if there is none. Tells the head what its lines mean. */
    static @Nullable Refusal check(RequestHead head) {
        Refusal broken = version(head);
        if (broken == null) {
            broken = head.method() == Method.CONNECT ? CONNECT : framing(head);
        }
        if (broken == null) {
            broken = host(head);
        }
        if (broken == null) {
            broken = target(head);
        }
        return broken == null ? expectation(head) : broken;
    }

    private static @Nullable Refusal version(RequestHead head) {
        byte[] bytes = head.bytes();
        int at = head.versionStart();
        boolean known = head.versionEnd() - at == HTTP.length + 3
                && startsWithHttp(bytes, at)
                && Syntax.isDigit(bytes[at + 5])
                && bytes[at + 6] == '.'
                && Syntax.isDigit(bytes[at + 7]);
        if (!known) {
            return NO_VERSION;
        }
        head.http11(bytes[at + 7] == '1');
        return bytes[at + 5] == '1' && bytes[at + 7] <= '1' ? null : VERSION;
    }

    private static boolean startsWithHttp(byte[] bytes, int from) {
        for (int i = 0; i < HTTP.length; i++) {
            if (bytes[from + i] != HTTP[i]) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Refusal framing(RequestHead head) {
        if (head.has(Field.TRANSFER_ENCODING)) {
            return chunked(head);
        }
        if (head.has(Field.CONTENT_LENGTH)) {
            long length = ContentLength.of(head);
            head.framed(length > 0 ? Framing.LENGTH : Framing.NONE, length);
            return length < 0 ? LENGTH : null;
        }
        return null;
    }

    private static @Nullable Refusal chunked(RequestHead head) {
        if (head.has(Field.CONTENT_LENGTH)) {
            return LENGTH_AND_CHUNKS;
        }
        if (!head.isHttp11()) {
            return CHUNKS_IN_HTTP10;
        }
        head.framed(Framing.CHUNKED, 0);
        return ContentLength.isChunkedAlone(head) ? null : CODING;
    }

    private static @Nullable Refusal host(RequestHead head) {
        if (!head.has(Field.HOST)) {
            return head.isHttp11() ? HOST : null;
        }
        int line = head.next(Field.HOST, 0);
        return !head.isRepeated(Field.HOST)
                        && Authority.isValid(head.bytes(), head.valueStart(line), head.valueEnd(line))
                ? null
                : HOST;
    }

    private static @Nullable Refusal target(RequestHead head) {
        byte[] bytes = head.bytes();
        int start = head.targetStart();
        int end = head.targetEnd();
        for (int at = start; at < end; at++) {
            if (bytes[at] == '#') {
                return TARGET;
            }
        }
        if (bytes[start] == '/') {
            return null;
        }
        boolean asterisk = end - start == 1 && bytes[start] == '*' && head.method() == Method.OPTIONS;
        return asterisk || isAbsolute(head, start, end) ? null : TARGET;
    }

    private static boolean isAbsolute(RequestHead head, int start, int end) {
        int authority = Authority.start(head.bytes(), start, end);
        int path = Authority.end(head.bytes(), authority, end);
        head.authority(authority, path);
        return authority > start && Authority.isValid(head.bytes(), authority, path);
    }

    private static @Nullable Refusal expectation(RequestHead head) {
        if (head.has(Field.EXPECT)) {
            for (int line = head.next(Field.EXPECT, 0); line < head.count(); line = head.next(Field.EXPECT, line + 1)) {
                if (!head.valueSpells(line, EXPECT_CONTINUE)) {
                    return EXPECTATION;
                }
            }
        }
        return null;
    }
}
