// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

/** How a message says where its body ends (RFC 9112, 6.3). */
public enum Framing {
    /** There is no body, whatever the head says. */
    NONE,
    /** After as many bytes as {@code Content-Length} says. */
    LENGTH,
    /** With the last chunk. */
    CHUNKED,
    /** When the connection is closed; responses only. */
    UNTIL_CLOSE
}
