// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import org.jspecify.annotations.Nullable;

/**
 * What a response must say to be passed on: its end must be where every reader sees it. A backend that breaks a rule is
 * treated as one that failed.
 */
final class ResponseRules {
    private static final Refusal LENGTH_AND_CHUNKS = broken("Transfer-Encoding with Content-Length");
    private static final Refusal CHUNKS_IN_HTTP10 = broken("Transfer-Encoding in HTTP/1.0");
    private static final Refusal CODING = broken("Transfer-Encoding: expected chunked alone");
    private static final Refusal LENGTH = broken("Content-Length: expected one number");

    private ResponseRules() {}

    private static Refusal broken(String reason) {
        return new Refusal(502, reason);
    }

    /** The first broken rule; null if there is none. Tells the head what its lines mean. */
    static @Nullable Refusal check(ResponseHead head) {
        if (head.has(Field.TRANSFER_ENCODING)) {
            return chunked(head);
        }
        long length = head.has(Field.CONTENT_LENGTH) ? ContentLength.of(head) : 0;
        if (length < 0) {
            return LENGTH;
        }
        if (!head.isBodiless()) {
            head.framed(framing(head, length), length);
        }
        return null;
    }

    private static Framing framing(ResponseHead head, long length) {
        if (!head.has(Field.CONTENT_LENGTH)) {
            return Framing.UNTIL_CLOSE;
        }
        return length > 0 ? Framing.LENGTH : Framing.NONE;
    }

    private static @Nullable Refusal chunked(ResponseHead head) {
        if (head.has(Field.CONTENT_LENGTH)) {
            return LENGTH_AND_CHUNKS;
        }
        if (!head.isHttp11()) {
            return CHUNKS_IN_HTTP10;
        }
        if (!ContentLength.isChunkedAlone(head)) {
            return CODING;
        }
        if (!head.isBodiless()) {
            head.framed(Framing.CHUNKED, 0);
        }
        return null;
    }
}
