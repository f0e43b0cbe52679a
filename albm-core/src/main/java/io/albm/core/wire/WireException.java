// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/** A call that failed, with a code to decide on and a message to show. Carries no stack trace: it is a value, not a bug. */
public final class WireException extends RuntimeException {

    private final WireCode code;

    public WireException(WireCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /** The failure of a handler that does not know the frame's type. */
    public static WireException unknownType(Frame frame) {
        return new WireException(WireCode.UNKNOWN_TYPE, "frame type 0x%02x is unknown here".formatted(frame.type()));
    }

    public WireCode code() {
        return code;
    }
}
