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
        CacheRequest request = handler.request(exchange);
        if (!response.permits(request)
                || !ResponseKey.of(request, response.selection()).equals(response.key())) {
            response.release();
            handler.handle(exchange);
            return;
        }
        Instant now = handler.clock().instant();
        handler.cache().storeStats().countServed(response.bodyBytes(), 1);
        CachedReply.send(exchange, request, response, CacheStatus.collapsed(response.head(), now), now);
    }
}
