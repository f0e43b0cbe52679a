// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/**
 * The head of a final response.
 *
 * @param status 200 to 999
 * @param reason the reason phrase, which may be empty
 */
public record Reply(int status, String reason, FieldList fields) {

    Reply with(FieldList others) {
        return new Reply(status, reason, others);
    }
}
