// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

/** A request target that names no document safely. The message says why and repeats nothing of the target. */
public final class MalformedPathException extends Exception {

    private final String reason;

    MalformedPathException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** What is wrong, in a sentence that can be shown to whoever sent the request. */
    public String reason() {
        return reason;
    }
}
