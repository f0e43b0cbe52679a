// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * Why a request is answered here and not by a backend.
 *
 * @param status what the client gets
 * @param reason one line for the body of the answer: what was wrong and what was expected
 */
record Refusal(HttpResponseStatus status, String reason) {
    static Refusal badRequest(String reason) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, reason);
    }
}
