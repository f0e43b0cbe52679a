// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/** Knows that the answer to HEAD has no body, whatever its headers say. */
final class ResponseEncoder extends HttpResponseEncoder {
    private boolean answersHead;

    void answersHead(boolean head) {
        this.answersHead = head;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
        return answersHead || super.isContentAlwaysEmpty(response);
    }
}
