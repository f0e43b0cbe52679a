// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/** Why a call failed, as it travels in an error frame. The numbers are part of the format: add, never renumber. */
public enum WireCode {
    /** The bytes are no frame: wrong magic, impossible lengths, an unreadable header. Closes the connection. */
    MALFORMED(1, true),
    /** The frame is of a protocol version that this node does not speak. Closes the connection. */
    UNSUPPORTED_VERSION(2, true),
    /** The receiver knows no such frame type. Closes the connection. */
    UNKNOWN_TYPE(3, true),
    /** Header or body is longer than the receiver takes. Closes the connection. */
    TOO_LARGE(4, true),
    /** The checksum of stored bytes does not match them, or the disk cannot read them. */
    CORRUPT(5, false),
    /** A bound on requests, bytes or connections is reached: try again later or elsewhere. */
    BUSY(6, false),
    /** No answer came within the caller's deadline; whether the work was done is unknown. */
    DEADLINE_EXCEEDED(7, false),
    /** The receiver understood and will not: a stale epoch, a read-only node. */
    REFUSED(8, false),
    /** What the request names does not exist. */
    NOT_FOUND(9, false),
    /** The receiver has no room to store it. */
    NO_SPACE(10, false),
    /** The receiver failed; its log says more. */
    INTERNAL(11, false),
    /**
     * No connection to the node, it broke before the answer came, or what answers is no node; whether the work was done is
     * unknown.
     */
    UNAVAILABLE(12, false),
    /**
     * A frame's checksum does not match its bytes: they were changed on their way. Closes the connection; whether the work of
     * its calls was done is unknown.
     */
    GARBLED(13, true);

    private final int number;
    private final boolean fatal;

    WireCode(int number, boolean fatal) {
        this.number = number;
        this.fatal = fatal;
    }

    int number() {
        return number;
    }

    /** Whether the connection cannot be trusted after this error and is closed behind the error frame. */
    boolean fatal() {
        return fatal;
    }

    /** The code of a number; a number of a later version reads as {@link #INTERNAL}. */
    static WireCode of(int number) {
        for (var code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL;
    }
}
