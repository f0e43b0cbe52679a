// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.concurrent.CompletionException;

/** Stored bytes are gone or wrong beyond repair. Waiting does not help. */
public final class LostDataException extends RuntimeException {
    public LostDataException(String message) {
        super(message);
    }

    public LostDataException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether a future failed for this reason. */
    public static boolean isCauseOf(Throwable failure) {
        return failure instanceof LostDataException
                || (failure instanceof CompletionException && failure.getCause() instanceof LostDataException);
    }
}
