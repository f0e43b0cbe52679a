// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.RequestHead;

/**
 * What answers requests: a directory of documents, or a cache in front of an origin. The connection does what every
 * server of HTTP/1 does (heads, framing, order, limits, timeouts, the end of the connection); a handler says what a
 * request is answered with.
 *
 * <p>There is one handler for each event loop, made by the {@link HttpServer}'s supplier on that loop, so a handler needs
 * no locks for what is its own.
 */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers a request, now or later; never blocks and never throws. Requests of one connection come in the order in
     * which they arrived, and may be answered in any order: the connection holds early replies back. A request that is
     * neither GET nor HEAD, or has a body, comes when all before it are answered, and nothing comes until it is.
     */
    void handle(Exchange exchange);

    /**
     * Takes note that a request waits at a distributor and may come here; never blocks and never throws.
     *
     * @param by the request that says so
     * @return false if it names nothing that could be asked for
     */
    default boolean announced(RequestHead by, WaitingRequest waiting) {
        return true;
    }
}
