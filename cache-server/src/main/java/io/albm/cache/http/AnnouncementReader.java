// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Field;
import io.albm.core.http.RequestHead;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells a handler, before each request, what the request says of others that wait at the distributor. Whoever can reach a
 * server that has one can teach it what to keep. What cannot be read is counted, and otherwise as if it were not there.
 */
public final class AnnouncementReader implements RequestHandler {
    private final RequestHandler handler;
    private final LongAdder malformed;

    /** @param malformed counts fields that break a rule or a bound, and requests for what cannot be named */
    public AnnouncementReader(RequestHandler handler, LongAdder malformed) {
        this.handler = handler;
        this.malformed = malformed;
    }

    @Override
    public void handle(Exchange exchange) {
        if (exchange.head().has(Field.ALBM_WAITING)) {
            read(exchange.head());
        }
        handler.handle(exchange);
    }

    private void read(RequestHead head) {
        List<WaitingRequest> waiting = WaitingRequest.of(head).orElse(List.of());
        if (waiting.isEmpty()) {
            malformed.increment();
        }
        for (WaitingRequest one : waiting) {
            if (!handler.announced(head, one)) {
                malformed.increment();
            }
        }
    }
}
