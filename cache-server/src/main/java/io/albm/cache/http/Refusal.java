// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * An answer without a document.
 *
 * @param reason one sentence for the person who asked
 * @param headers what the status wants beside the usual
 * @param closes whether the connection cannot go on: where the next request begins is not known
 */
record Refusal(HttpResponseStatus status, String reason, HttpHeaders headers, boolean closes) {

    static Refusal of(HttpResponseStatus status, String reason) {
        return new Refusal(status, reason, new DefaultHttpHeaders(), false);
    }

    static Refusal broken(HttpResponseStatus status, String reason) {
        return new Refusal(status, reason, new DefaultHttpHeaders(), true);
    }

    static Refusal methodNotAllowed() {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, "GET, HEAD");
        return new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are served", headers, false);
    }

    static Refusal moved(String location) {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.LOCATION, location);
        return new Refusal(HttpResponseStatus.MOVED_PERMANENTLY, "a directory ends with a slash", headers, false);
    }

    static Refusal busy() {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.RETRY_AFTER, 1);
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "busy; try again", headers, false);
    }
}
