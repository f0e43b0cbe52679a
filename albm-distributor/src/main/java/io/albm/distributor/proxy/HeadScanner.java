// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of a request head once, before any other parser does, and refuses what two parsers could read in two
 * ways: the raw material of request smuggling.
 *
 * <p>By RFC 9112 a bare CR or LF, a folded header, white space before a colon and doubled spaces in the request line may
 * be repaired; every repair is a chance for the next server to see another request than this one. So nothing is repaired.
 *
 * <p>The scanner goes on where it stopped, so that a head which comes byte by byte costs no more than one that comes
 * whole and gets the same verdict. Not thread-safe; {@link #reset} it after each head.
 */
final class HeadScanner {
    /** What is known after the bytes so far. */
    sealed interface Verdict {
        /** No fault yet, and no end. */
        record Incomplete() implements Verdict {}

        /** The head ends after that many bytes, counted from the reader index. */
        record Whole(int length) implements Verdict {}

        /** Not to be forwarded, and nothing after it can be trusted. */
        record Bad(Refusal refusal) implements Verdict {}
    }

    private enum Place {
        START,
        START_LF,
        METHOD,
        TARGET,
        VERSION,
        LINE_START,
        NAME,
        VALUE,
        LINE_LF,
        END_LF
    }

    private static final Verdict INCOMPLETE = new Verdict.Incomplete();
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private final int maxBytes;
    private Place place = Place.START;
    private int scanned;
    private boolean inRequestLine = true;
    private @Nullable String fault;

    /**
     * A scanner for heads of limited size.
     *
     * @param maxBytes the largest head, with its request line and empty line
     */
    HeadScanner(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Looks at the bytes that came since the last call; the buffer's reader index stays at the start of the head. */
    Verdict scan(ByteBuf head) {
        int available = Math.min(head.readableBytes(), maxBytes);
        while (scanned < available) {
            boolean atEnd = place == Place.END_LF;
            place = step(head.getByte(head.readerIndex() + scanned++) & 0xff);
            if (fault != null) {
                return new Verdict.Bad(Refusal.badRequest(fault));
            }
            if (atEnd) {
                return new Verdict.Whole(scanned);
            }
        }
        return scanned == maxBytes ? tooLarge() : INCOMPLETE;
    }

    /** True if no byte of a head has been seen. */
    boolean isFresh() {
        return scanned == 0;
    }

    /** Gets ready for the next head. */
    void reset() {
        place = Place.START;
        scanned = 0;
        inRequestLine = true;
        fault = null;
    }

    private Verdict tooLarge() {
        return new Verdict.Bad(
                inRequestLine
                        ? new Refusal(
                                HttpResponseStatus.REQUEST_URI_TOO_LONG,
                                "request line: expected at most " + maxBytes + " bytes")
                        : new Refusal(
                                HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                                "request head: expected at most " + maxBytes + " bytes"));
    }

    private Place step(int b) {
        return switch (place) {
            case START -> start(b);
            case START_LF -> lineFeed(b, Place.START);
            case METHOD -> b == ' ' ? Place.TARGET : token(b, Place.METHOD, "method");
            case TARGET -> target(b);
            case VERSION -> version(b);
            case LINE_LF -> lineFeed(b, Place.LINE_START);
            case LINE_START -> lineStart(b);
            case NAME -> b == ':' ? Place.VALUE : token(b, Place.NAME, "header name");
            case VALUE -> value(b);
            case END_LF -> lineFeed(b, Place.START);
        };
    }

    /** Empty lines before a request are the one repair that RFC 9112 (2.2) asks for. */
    private Place start(int b) {
        return b == '\r' ? Place.START_LF : token(b, Place.METHOD, "method");
    }

    private Place target(int b) {
        if (b == ' ') {
            return Place.VERSION;
        }
        return b > ' ' && b < 0x7f ? Place.TARGET : bad("request target: expected printable ASCII without spaces");
    }

    private Place version(int b) {
        if (b == '\r') {
            inRequestLine = false;
            return Place.LINE_LF;
        }
        return b > ' ' && b < 0x7f ? Place.VERSION : bad("request line: expected method, target and version");
    }

    private Place lineStart(int b) {
        if (b == '\r') {
            return Place.END_LF;
        }
        return b == ' ' || b == '\t' ? bad("folded header: expected one line per header") : name(b);
    }

    private Place name(int b) {
        return token(b, Place.NAME, "header name");
    }

    private Place value(int b) {
        if (b == '\r') {
            return Place.LINE_LF;
        }
        return b == '\t' || (b >= ' ' && b != 0x7f) ? Place.VALUE : bad("header value: expected no control characters");
    }

    private Place lineFeed(int b, Place next) {
        return b == '\n' ? next : bad("bare CR: expected CR LF at the end of a line");
    }

    private Place token(int b, Place next, String what) {
        return isToken(b) ? next : bad(what + ": expected letters, digits and " + TOKEN_MARKS);
    }

    private static boolean isToken(int b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || TOKEN_MARKS.indexOf(b) >= 0;
    }

    private Place bad(String reason) {
        fault = reason;
        return place;
    }
}
