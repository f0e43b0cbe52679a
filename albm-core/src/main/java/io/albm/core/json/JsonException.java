// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

/** Text that is no JSON, or JSON of another shape than expected. */
public final class JsonException extends RuntimeException {
    JsonException(String message, Throwable cause) {
        super(message, cause);
    }
}
