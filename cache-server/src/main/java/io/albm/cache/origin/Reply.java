// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.ResponseHead;

/**
 * The head of a final response.
 *
 * @param status 200 to 999
 * @param reason the reason phrase, which may be empty
 */
public record Reply(int status, String reason, FieldList fields) {

    private static final int AFTER_STATUS = 13;

    /** The head of a response that came in. */
    static Reply of(ResponseHead head) {
        int end = head.reasonEnd();
        String reason = end > AFTER_STATUS ? head.text(AFTER_STATUS, end) : "";
        return new Reply(head.status(), reason, FieldList.copyOf(new HeadFields(head)));
    }

    Reply with(FieldList others) {
        return new Reply(status, reason, others);
    }
}
