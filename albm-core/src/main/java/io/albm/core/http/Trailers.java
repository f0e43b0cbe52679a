// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import org.jspecify.annotations.Nullable;

/**
 * The lines after the last chunk (RFC 9112, 7.1.2). What would change how the message is framed, routed, cached or
 * allowed if it came in the head is dropped (RFC 9110, 6.5.1); the rest goes on.
 */
public final class Trailers extends Head {
    private static final int MAX_BYTES = 8 << 10;
    private static final long FORBIDDEN = Field.set(
            Field.ALBM_WAITING,
            Field.AUTHORIZATION,
            Field.CACHE_CONTROL,
            Field.CONNECTION,
            Field.CONTENT_ENCODING,
            Field.CONTENT_LENGTH,
            Field.CONTENT_RANGE,
            Field.CONTENT_TYPE,
            Field.COOKIE,
            Field.EXPECT,
            Field.FORWARDED,
            Field.HOST,
            Field.IF_MATCH,
            Field.IF_MODIFIED_SINCE,
            Field.IF_NONE_MATCH,
            Field.IF_RANGE,
            Field.IF_UNMODIFIED_SINCE,
            Field.KEEP_ALIVE,
            Field.MAX_FORWARDS,
            Field.PROXY_AUTHENTICATE,
            Field.PROXY_AUTHORIZATION,
            Field.PROXY_CONNECTION,
            Field.RANGE,
            Field.SET_COOKIE,
            Field.TE,
            Field.TRAILER,
            Field.TRANSFER_ENCODING,
            Field.UPGRADE,
            Field.WWW_AUTHENTICATE,
            Field.X_FORWARDED_FOR,
            Field.X_FORWARDED_HOST,
            Field.X_FORWARDED_PROTO);

    Trailers() {
        super(MAX_BYTES, false);
    }

    /** Whether a trailer may not say this. */
    public static boolean isForbidden(Field field) {
        return (field.bit() & FORBIDDEN) != 0;
    }

    @Override
    void resetFirstLine() {}

    @Override
    int options() {
        return 0;
    }

    @Override
    int firstLine(int from, int end) {
        throw new IllegalStateException("trailers have no first line");
    }

    @Override
    Refusal malformed(String reason) {
        return Refusal.badRequest("trailer: " + reason);
    }

    @Override
    Refusal tooLarge(int bound) {
        return malformed("expected at most " + bound + " bytes");
    }

    @Override
    Refusal tooManyLines(int bound) {
        return malformed("expected at most " + bound + " lines");
    }

    @Override
    @Nullable
    Refusal judge() {
        return null;
    }

    /** Whether that line goes on. */
    public boolean isPermitted(int line) {
        return !isForbidden(field(line));
    }

    /** The permitted lines and the empty one. */
    void write(HeadWriter to) {
        to.lines(this, FORBIDDEN);
        to.crlf();
    }
}
