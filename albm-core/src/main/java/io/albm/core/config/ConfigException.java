// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

/** Configuration that cannot be used. The message is one line: the input, where it came from, what was expected. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
