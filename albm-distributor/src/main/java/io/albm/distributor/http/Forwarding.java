// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

/**
 * What is told to backends about the client, beside {@code X-Forwarded-For}, {@code -Proto} and {@code -Host}.
 *
 * @param forwarded whether to add the {@code Forwarded} field of RFC 7239
 * @param requestId whether each request gets an {@code X-Request-Id}, unless it has a well-formed one
 */
public record Forwarding(boolean forwarded, boolean requestId) {
    /** The {@code X-Forwarded-} fields alone. */
    public static final Forwarding PLAIN = new Forwarding(false, false);
}
