// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;

/** The methods whose meaning matters to a proxy (RFC 9110, 9). */
public enum Method {
    GET(true),
    HEAD(true),
    POST(false),
    PUT(true),
    DELETE(true),
    OPTIONS(true),
    TRACE(true),
    CONNECT(false),
    /** Any other method. */
    OTHER(false);

    private static final Method[] NAMED = {GET, HEAD, POST, PUT, DELETE, OPTIONS, TRACE, CONNECT};

    private final boolean idempotent;

    @SuppressWarnings("ImmutableEnumChecker") // written once, here
    private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

    Method(boolean idempotent) {
        this.idempotent = idempotent;
    }

    /** Whether a request may be sent again although it may have been done already. */
    public boolean isIdempotent() {
        return idempotent;
    }

    static Method of(byte[] from, int start, int end) {
        for (Method method : NAMED) {
            if (method.is(from, start, end)) {
                return method;
            }
        }
        return OTHER;
    }

    private boolean is(byte[] from, int start, int end) {
        if (end - start != bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (from[start + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
