// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import java.io.IOException;

/** A local copy is not what its rank said that it wrote, or not any more. */
public final class TornStateException extends IOException {
    public TornStateException(String message) {
        super(message);
    }
}
