// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.util.ArrayDeque;

/**
 * Heads that wait for the next message. A connection has one only while a message is under way, so that an idle one
 * costs little; beyond {@value #MAX_KEPT} of each kind they are left to the garbage collector. Confined to its event loop.
 */
public final class HeadPool {
    private static final int MAX_KEPT = 256;
    private static final int MAX_RESPONSE_HEAD_BYTES = 64 << 10;

    private final int maxRequestHeadBytes;
    private final ArrayDeque<RequestHead> requests = new ArrayDeque<>();
    private final ArrayDeque<ResponseHead> responses = new ArrayDeque<>();

    /** @param maxRequestHeadBytes see {@link RequestHead#RequestHead} */
    public HeadPool(int maxRequestHeadBytes) {
        this.maxRequestHeadBytes = maxRequestHeadBytes;
    }

    /** A head for a request. */
    public RequestHead request() {
        RequestHead waiting = requests.pollLast();
        return waiting == null ? new RequestHead(maxRequestHeadBytes) : waiting;
    }

    /** A head for a response. */
    public ResponseHead response() {
        ResponseHead waiting = responses.pollLast();
        return waiting == null ? new ResponseHead(MAX_RESPONSE_HEAD_BYTES) : waiting;
    }

    /** Takes back a head that nobody looks at any more. */
    public void recycle(RequestHead head) {
        if (requests.size() < MAX_KEPT) {
            head.reset();
            requests.addLast(head);
        }
    }

    /** Takes back a head that nobody looks at any more. */
    public void recycle(ResponseHead head) {
        if (responses.size() < MAX_KEPT) {
            head.reset();
            responses.addLast(head);
        }
    }
}
