// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import org.jspecify.annotations.Nullable;

/** The head of a response. See {@link Head}. */
public final class ResponseHead extends Head {
    /** What may stand at each place before the reason: {@code v} is 1, {@code 0} 0 or 1, {@code 1} 1 to 9, {@code 9} any digit. */
    private static final String FORM = "HTTP/v.0 199";

    private static final int MINOR_VERSION = 7;
    private static final int STATUS = 9;
    private static final int BAD_GATEWAY = 502;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private int reasonEnd;
    private boolean answersHead;
    private int options;
    private Framing framing = Framing.NONE;
    private long contentLength;

    /**
     * A head of limited size.
     *
     * @param maxBytes the largest head, with its status line and its empty line
     */
    public ResponseHead(int maxBytes) {
        super(maxBytes, true);
    }

    /** Tells before the head is read whether it answers a HEAD request, and thus has no body whatever it says. */
    public void answersHead(boolean head) {
        answersHead = head;
    }

    @Override
    void resetFirstLine() {
        framing = Framing.NONE;
        contentLength = 0;
    }

    @Override
    int firstLine(int from, int end) {
        int at = from;
        while (at < end && at < FORM.length()) {
            if (!fits(bytes()[at], FORM.charAt(at))) {
                return fault(at, "status line: expected HTTP/1.1, a space and a status of three digits");
            }
            at++;
        }
        return at == end ? at : reason(at, end);
    }

    private static boolean fits(byte b, char wanted) {
        return switch (wanted) {
            case '9' -> Syntax.isDigit(b);
            case 'v' -> b == '1';
            case '0' -> b == '0' || b == '1';
            case '1' -> Syntax.isDigit(b) && b != '0';
            default -> b == wanted;
        };
    }

    private int reason(int from, int end) {
        byte[] bytes = bytes();
        if (from == FORM.length() && bytes[from] != ' ' && bytes[from] != '\r') {
            return fault(from, "status line: expected a space after the status");
        }
        int at = Syntax.endOfValue(bytes, from, end);
        if (at == end) {
            return at;
        }
        if (bytes[at] != '\r') {
            return fault(at, "status line: expected no control characters");
        }
        reasonEnd = at;
        return endFirstLine(at);
    }

    @Override
    Refusal malformed(String reason) {
        return new Refusal(BAD_GATEWAY, reason);
    }

    @Override
    Refusal tooLarge(int bound) {
        return malformed("response head: expected at most " + bound + " bytes");
    }

    @Override
    Refusal tooManyLines(int bound) {
        return malformed("response head: expected at most " + bound + " header lines");
    }

    @Override
    @Nullable
    Refusal judge() {
        options = ConnectionOptions.of(this);
        return ResponseRules.check(this);
    }

    void framed(Framing by, long length) {
        framing = by;
        contentLength = length;
    }

    // What was read.

    /** Whether the status line ends with the status itself, which leaves out a space that must be there. */
    public boolean hasNoReason() {
        return reasonEnd == FORM.length();
    }

    /** Where the status line ends, before its CR. */
    public int reasonEnd() {
        return reasonEnd;
    }

    @Override
    int options() {
        return options;
    }

    /** 100 to 999. */
    public int status() {
        byte[] bytes = bytes();
        return (bytes[STATUS] - '0') * 100 + (bytes[STATUS + 1] - '0') * 10 + bytes[STATUS + 2] - '0';
    }

    /** HTTP/1.1; otherwise HTTP/1.0. */
    public boolean isHttp11() {
        return bytes()[MINOR_VERSION] == '1';
    }

    /** True for an answer (1xx) after which the real one comes. */
    public boolean isInterim() {
        return status() < 200;
    }

    /** Whether such a response has no body, whatever its lines say (RFC 9110, 6.4.1). */
    boolean isBodiless() {
        return answersHead || isInterim() || status() == NO_CONTENT || status() == NOT_MODIFIED;
    }

    /** Whether such a response may not even say how long a body would be (RFC 9110, 8.6). */
    public boolean isWithoutLength() {
        return isInterim() || status() == NO_CONTENT;
    }

    /** Whether the backend lets the connection be used again. */
    public boolean isKeepAlive() {
        boolean wanted = isHttp11()
                ? (options & ConnectionOptions.CLOSE) == 0
                : (options & (ConnectionOptions.CLOSE | ConnectionOptions.KEEP_ALIVE)) == ConnectionOptions.KEEP_ALIVE;
        return wanted && framing != Framing.UNTIL_CLOSE;
    }

    public Framing framing() {
        return framing;
    }

    /** Bytes of the body if it is framed by its length. */
    public long contentLength() {
        return contentLength;
    }
}
