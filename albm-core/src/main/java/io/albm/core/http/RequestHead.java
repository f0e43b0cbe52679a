// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The head of a request. See {@link Head}. */
public final class RequestHead extends Head {
    private enum Part {
        BEFORE,
        BEFORE_LF,
        METHOD,
        TARGET,
        VERSION
    }

    private static final int BAD_REQUEST = 400;
    private static final int URI_TOO_LONG = 414;
    private static final int FIELDS_TOO_LARGE = 431;

    private Part part = Part.BEFORE;
    private int methodStart;
    private int methodEnd;
    private int targetEnd;
    private int versionEnd;
    private int authorityStart;
    private int authorityEnd;
    private Method method = Method.OTHER;
    private boolean http11;
    private int options;
    private Framing framing = Framing.NONE;
    private long contentLength;

    /**
     * A head of limited size.
     *
     * @param maxBytes the largest head, with its request line and its empty line
     */
    public RequestHead(int maxBytes) {
        super(maxBytes, true);
    }

    @Override
    void resetFirstLine() {
        part = Part.BEFORE;
        framing = Framing.NONE;
        contentLength = 0;
        authorityStart = 0;
        authorityEnd = 0;
    }

    @Override
    int firstLine(int from, int end) {
        return switch (part) {
            case BEFORE -> before(from);
            case BEFORE_LF -> beforeLineFeed(from);
            case METHOD -> method(from, end);
            case TARGET -> target(from, end);
            case VERSION -> version(from, end);
        };
    }

    /** Empty lines before a request are the one repair that RFC 9112 (2.2) asks for. */
    private int before(int at) {
        if (bytes()[at] == '\r') {
            part = Part.BEFORE_LF;
            return at + 1;
        }
        methodStart = at;
        part = Part.METHOD;
        return at;
    }

    private int beforeLineFeed(int at) {
        part = Part.BEFORE;
        return bytes()[at] == '\n' ? at + 1 : fault(at, "bare CR: expected CR LF at the end of a line");
    }

    private int method(int from, int end) {
        byte[] bytes = bytes();
        int at = Syntax.endOfToken(bytes, from, end);
        if (at == end) {
            return at;
        }
        if (bytes[at] != ' ' || at == methodStart) {
            return fault(at, "method: expected letters, digits and " + Syntax.TOKEN_MARKS);
        }
        methodEnd = at;
        part = Part.TARGET;
        return at + 1;
    }

    private int target(int from, int end) {
        byte[] bytes = bytes();
        int at = Syntax.endOfVisible(bytes, from, end);
        if (at == end) {
            return at;
        }
        if (bytes[at] != ' ' || at == targetStart()) {
            return fault(at, "request target: expected printable ASCII without spaces");
        }
        targetEnd = at;
        part = Part.VERSION;
        return at + 1;
    }

    private int version(int from, int end) {
        byte[] bytes = bytes();
        int at = Syntax.endOfVisible(bytes, from, end);
        if (at == end) {
            return at;
        }
        if (bytes[at] != '\r') {
            return fault(at, "request line: expected method, target and version");
        }
        versionEnd = at;
        return endFirstLine(at);
    }

    @Override
    Refusal malformed(String reason) {
        return new Refusal(BAD_REQUEST, reason);
    }

    @Override
    Refusal tooLarge(int bound) {
        return isInFirstLine()
                ? new Refusal(URI_TOO_LONG, "request line: expected at most " + bound + " bytes")
                : new Refusal(FIELDS_TOO_LARGE, "request head: expected at most " + bound + " bytes");
    }

    @Override
    Refusal tooManyLines(int bound) {
        return new Refusal(FIELDS_TOO_LARGE, "request head: expected at most " + bound + " header lines");
    }

    @Override
    @Nullable
    Refusal judge() {
        method = Method.of(bytes(), methodStart, methodEnd);
        options = ConnectionOptions.of(this);
        return RequestRules.check(this);
    }

    // For the rules, which find out what these are.

    void http11(boolean is) {
        http11 = is;
    }

    void framed(Framing by, long length) {
        framing = by;
        contentLength = length;
    }

    void authority(int start, int end) {
        authorityStart = start;
        authorityEnd = end;
    }

    // What was read.

    /** Where the method begins. */
    public int methodStart() {
        return methodStart;
    }

    /** Where the target begins, one space behind the method. */
    public int targetStart() {
        return methodEnd + 1;
    }

    /** Where it ends. */
    public int targetEnd() {
        return targetEnd;
    }

    /** Where the version begins. */
    public int versionStart() {
        return targetEnd + 1;
    }

    /** Where it ends, and the request line with it. */
    public int versionEnd() {
        return versionEnd;
    }

    /** Whether the target is a whole URI, whose authority stands between {@link #authorityStart} and the end of it. */
    public boolean isAbsolute() {
        return authorityEnd > 0;
    }

    /** Where the authority of an absolute target begins. */
    public int authorityStart() {
        return authorityStart;
    }

    /** Where it ends, and the path begins. */
    public int authorityEnd() {
        return authorityEnd;
    }

    @Override
    int options() {
        return options;
    }

    public Method method() {
        return method;
    }

    /** HTTP/1.1; otherwise HTTP/1.0. */
    public boolean isHttp11() {
        return http11;
    }

    /** Whether the client wants the connection to stay. */
    public boolean isKeepAlive() {
        return http11
                ? (options & ConnectionOptions.CLOSE) == 0
                : (options & (ConnectionOptions.CLOSE | ConnectionOptions.KEEP_ALIVE)) == ConnectionOptions.KEEP_ALIVE;
    }

    /**
     * Whether the client asks for another protocol on this connection, in a way that may be passed on: alone, without a
     * body, and not for HTTP/2, which would get requests past the rules.
     */
    public boolean isUpgrade() {
        return http11
                && (options & ConnectionOptions.UPGRADE) != 0
                && framing == Framing.NONE
                && isForeignProtocol(value(Field.UPGRADE));
    }

    private static boolean isForeignProtocol(@Nullable String protocol) {
        return protocol != null && !protocol.toLowerCase(Locale.ROOT).contains("h2");
    }

    /** Never {@link Framing#UNTIL_CLOSE}. */
    public Framing framing() {
        return framing;
    }

    /** Bytes of the body if it is framed by its length. */
    public long contentLength() {
        return contentLength;
    }

    /** The request target as it came. */
    public String target() {
        return text(targetStart(), targetEnd);
    }

    /** Where the name of the host that is asked for begins; at {@link #hostEnd} if none is named. */
    public int hostStart() {
        if (isAbsolute()) {
            return authorityStart;
        }
        return has(Field.HOST) ? valueStart(next(Field.HOST, 0)) : 0;
    }

    /** Where it ends, before its port and a last dot. */
    public int hostEnd(int start) {
        if (!isAbsolute() && !has(Field.HOST)) {
            return start;
        }
        int end = isAbsolute() ? authorityEnd : valueEnd(next(Field.HOST, 0));
        int nameEnd = Authority.hostEnd(bytes(), start, end);
        return nameEnd > start && bytes()[nameEnd - 1] == '.' ? nameEnd - 1 : nameEnd;
    }

    /** Where the target's path begins; at {@link #targetEnd} if it is empty. */
    public int pathStart() {
        return isAbsolute() ? authorityEnd : targetStart();
    }

    /** A hash of the target's path without its query, equal for equal paths in every process. */
    public long pathHash() {
        byte[] bytes = bytes();
        long hash = 0;
        for (int at = pathStart(); at < targetEnd && bytes[at] != '?'; at++) {
            hash = hash * 31 + bytes[at];
        }
        return mixed(hash);
    }

    /** The finalizer of SplitMix64: every bit of the hash depends on every bit of the sum. */
    private static long mixed(long sum) {
        long z = (sum ^ (sum >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
