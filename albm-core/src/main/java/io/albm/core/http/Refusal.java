// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

/**
 * Why a message is not passed on.
 *
 * @param status what the client gets
 * @param reason one line for the body of the answer: what was wrong and what was expected
 */
public record Refusal(int status, String reason) {
    /** The message could be read in two ways, or in none. */
    public static Refusal badRequest(String reason) {
        return new Refusal(400, reason);
    }
}
