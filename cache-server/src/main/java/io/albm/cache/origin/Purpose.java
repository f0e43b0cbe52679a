// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/** What a request is sent to the origin for. */
enum Purpose {
    /** A response that may be shared; the client's own conditions are left out. */
    WHOLE("uri-miss"),
    /** Whether a stored response is current. */
    VALIDATION("stale"),
    /** One client's request, passed on as it is. */
    PASSED("request"),
    /** The same, of a method that no stored response answers. */
    METHOD("method");

    private final String forwarded;

    Purpose(String forwarded) {
        this.forwarded = forwarded;
    }

    /** Why the request was sent on, in the words of {@code Cache-Status} (RFC 9211, section 2.2). */
    String forwarded() {
        return forwarded;
    }
}
