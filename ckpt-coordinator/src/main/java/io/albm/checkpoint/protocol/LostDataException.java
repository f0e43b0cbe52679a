// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/** Stored bytes are gone or wrong beyond repair. Waiting does not help. */
public final class LostDataException extends RuntimeException {
    public LostDataException(String message) {
        super(message);
    }

    public LostDataException(String message, Throwable cause) {
        super(message, cause);
    }
}
