// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.Exchange;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;

/** A client's request that waits for another one's response. Told on any thread, answers on its own event loop. */
final class Waiter implements Flight.Follower {

    private final OriginHandler handler;
    private final Exchange exchange;

    Waiter(OriginHandler handler, Exchange exchange) {
        this.handler = handler;
        this.exchange = exchange;
    }

    @Override
    public void landed(CachedResponse response) {
        onLoop(() -> landedHere(response), response::release);
    }

    @Override
    public void dispersed() {
        onLoop(() -> handler.pass(exchange, handler.request(exchange)), () -> {});
    }

    @Override
    public void failed(UpstreamFailure failure) {
        onLoop(() -> OriginHandler.refuse(exchange, failure, Purpose.WHOLE.forwarded()), () -> {});
    }

    @Override
    public void stoodInFor(CachedResponse stored) {
        onLoop(() -> stoodInForHere(stored), stored::release);
    }

    private void onLoop(Runnable task, Runnable otherwise) {
        try {
            exchange.loop().execute(() -> {
                if (exchange.isGone()) {
                    otherwise.run();
                } else {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            otherwise.run();
        }
    }

    private void landedHere(CachedResponse response) {
        Instant now = handler.clock().instant();
        answer(response, CacheStatus.collapsed(response.head(), now), now);
    }

    private void stoodInForHere(CachedResponse stored) {
        Instant now = handler.clock().instant();
        if (answer(stored, CacheStatus.staleOnError(stored.head(), now), now)) {
            handler.stats().stale.increment();
        }
    }

    /**
     * Answers with a response, unless it is for other requests than this one. Then this one begins anew if the cache knows by
     * that response who else waits for the same as this. Where it does not, all who wait would be taken for the same again,
     * and would ask the origin one after another: each asks for itself.
     *
     * @param response of which a reference is taken over
     */
    private boolean answer(CachedResponse response, String cacheStatus, Instant now) {
        CacheRequest request = handler.request(exchange);
        if (!response.permits(request)
                || !ResponseKey.of(request, response.selection()).equals(response.key())) {
            boolean kept = handler.cache().keeps(response);
            response.release();
            if (kept) {
                handler.handle(exchange);
            } else {
                handler.pass(exchange, request);
            }
            return false;
        }
        handler.cache().storeStats().countServed(response.bodyBytes(), 1);
        CachedReply.send(exchange, request, response, cacheStatus, now);
        return true;
    }
}
