// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.Outcome;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/** One request on its way, in the queue of its connection. Owned by the connection's event loop. */
final class Exchange {

    private final HttpRequest request;
    private final @Nullable DocumentPath path;
    private boolean keepAlive;
    private @Nullable Outcome outcome;
    private @Nullable Refusal refusal;

    /** A request for a document. */
    Exchange(HttpRequest request, DocumentPath path) {
        this.request = request;
        this.path = path;
        this.keepAlive = HttpUtil.isKeepAlive(request);
    }

    /** A request that is answered with a refusal. */
    Exchange(HttpRequest request, Refusal refusal) {
        this.request = request;
        this.path = null;
        this.refusal = refusal;
        this.keepAlive = HttpUtil.isKeepAlive(request) && !refusal.closes();
    }

    HttpRequest request() {
        return request;
    }

    DocumentPath path() {
        if (path == null) {
            throw new IllegalStateException("a refused request has no path");
        }
        return path;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    void closeAfter() {
        keepAlive = false;
    }

    boolean isReady() {
        return outcome != null || refusal != null;
    }

    void resolve(Outcome result) {
        outcome = result;
    }

    void refuse(Refusal result) {
        outcome = null;
        refusal = result;
    }

    @Nullable
    Refusal refusal() {
        return refusal;
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    /** Lets go of a document that will not be sent. */
    void discard() {
        if (outcome instanceof Outcome.Found found) {
            found.document().release();
        }
        outcome = null;
    }
}
