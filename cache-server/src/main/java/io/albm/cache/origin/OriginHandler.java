// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.Exchange;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.http.WaitingRequest;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import io.albm.core.net.Transport;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of one event loop from the cache, and asks the origin for what it cannot. A hit is answered within
 * the call. Confined to its event loop.
 */
final class OriginHandler implements RequestHandler {

    private static final int BAD_REQUEST = 400;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final ResponseCache cache;
    private final OriginSettings settings;
    private final OriginStats stats;
    private final Transport transport;
    private final MonotonicClock monotonic;
    private final InstantSource clock;
    private final Reach reach;
    private final String authority;
    private @Nullable UpstreamPool pool;

    OriginHandler(
            ResponseCache cache,
            OriginSettings settings,
            OriginStats stats,
            Transport transport,
            MonotonicClock monotonic,
            InstantSource clock,
            Reach reach) {
        this.cache = cache;
        this.settings = settings;
        this.stats = stats;
        this.transport = transport;
        this.monotonic = monotonic;
        this.clock = clock;
        this.reach = reach;
        authority = settings.origin().address().toString();
    }

    ResponseCache cache() {
        return cache;
    }

    OriginSettings settings() {
        return settings;
    }

    OriginStats stats() {
        return stats;
    }

    MonotonicClock monotonic() {
        return monotonic;
    }

    InstantSource clock() {
        return clock;
    }

    ByteBufAllocator allocator() {
        return transport.allocator();
    }

    UpstreamPool pool() {
        if (pool == null) {
            throw new IllegalStateException("no request came yet");
        }
        return pool;
    }

    @Override
    public void handle(Exchange exchange) {
        openPool(exchange.loop());
        if (exchange.head().method() == Method.TRACE) {
            exchange.refuse(METHOD_NOT_ALLOWED, "TRACE would show what is meant for the origin only");
            return;
        }
        CacheRequest request = request(exchange);
        if (!settings.origin().covers(request.target())) {
            exchange.refuse(BAD_REQUEST, "request target: expected no '.' or '..' in its path");
        } else if (request.mayBeAnswered()) {
            consult(exchange, request);
        } else {
            stats.passed.increment();
            fetch(Purpose.METHOD, request, null, null, exchange);
        }
    }

    CacheRequest request(Exchange exchange) {
        return CacheRequest.of(exchange.head(), authority);
    }

    /** Who waits is thought to say of itself what the client says who brings the news: it may select among variants. */
    @Override
    public boolean announced(RequestHead by, WaitingRequest waiting) {
        CacheRequest bearer = CacheRequest.of(by, authority);
        cache.announced(bearer.asGetOf(waiting.authority(), waiting.target()));
        return true;
    }

    private void openPool(EventLoop loop) {
        if (pool == null) {
            Connector connector = new Connector(settings, transport.clientBootstrap(loop), reach);
            pool = new UpstreamPool(settings, loop, connector, monotonic);
        }
    }

    private void consult(Exchange exchange, CacheRequest request) {
        Instant now = clock.instant();
        switch (cache.consult(request, now, new Waiter(this, exchange))) {
            case Verdict.Serve(CachedResponse response, @Nullable Flight validation) -> {
                if (validation == null) {
                    hit(exchange, request, response, now);
                } else {
                    hitStale(exchange, request, response, validation, now);
                }
            }
            case Verdict.Fetch(Flight flight, @Nullable CachedResponse stored) ->
                fetch(stored == null ? Purpose.WHOLE : Purpose.VALIDATION, request, flight, stored, exchange);
            case Verdict.Join(Flight flight, Flight.Waiting waiting) ->
                exchange.onGone(() -> cache.leave(flight, waiting));
            case Verdict.Pass pass -> pass(exchange, request);
            case Verdict.NotCached none ->
                exchange.refuse(
                        Statuses.GATEWAY_TIMEOUT,
                        "not in the cache, and only-if-cached was asked for",
                        CacheStatus.NAME + ": albm; detail=only-if-cached");
        }
    }

    private static void hit(Exchange exchange, CacheRequest request, CachedResponse response, Instant now) {
        CachedReply.send(exchange, request, response, CacheStatus.hit(response.head(), now), now);
    }

    /** Validates what is served meanwhile, also if the reply breaks: others may wait for the outcome. */
    private void hitStale(
            Exchange exchange, CacheRequest request, CachedResponse response, Flight validation, Instant now) {
        CacheRequest kept = request.kept().asGet();
        CachedResponse asked = response.retained();
        try {
            hit(exchange, request, response, now);
        } finally {
            fetch(Purpose.VALIDATION, kept, validation, asked, null);
        }
    }

    /**
     * Has a response in main memory before clients ask for it.
     *
     * @param loop that this handler belongs to, and this is called on
     */
    void warm(String name, EventLoop loop, Consumer<String> end) {
        openPool(loop);
        Optional<CacheRequest> request = Warmup.request(name, authority)
                .filter(asked -> settings.origin().covers(asked.target()));
        if (request.isPresent()) {
            warm(request.get(), new Warmup(cache, end));
        } else {
            end.accept("malformed");
        }
    }

    private void warm(CacheRequest request, Warmup warmup) {
        switch (cache.consult(request, clock.instant(), warmup)) {
            case Verdict.Serve(CachedResponse response, @Nullable Flight validation) -> {
                if (validation != null) {
                    fetch(Purpose.VALIDATION, request, validation, response.retained(), null);
                }
                response.release();
                warmup.found();
            }
            case Verdict.Fetch(Flight flight, @Nullable CachedResponse stored) -> {
                cache.follow(flight, request, warmup);
                fetch(stored == null ? Purpose.WHOLE : Purpose.VALIDATION, request, flight, stored, null);
            }
            case Verdict.Join join -> {}
            case Verdict.Pass pass -> warmup.dispersed();
            case Verdict.NotCached none -> warmup.dispersed();
        }
    }

    /** Passes a request on as it is, for its client alone. */
    void pass(Exchange exchange, CacheRequest request) {
        stats.passed.increment();
        fetch(Purpose.PASSED, request, null, null, exchange);
    }

    private void fetch(
            Purpose purpose,
            CacheRequest request,
            @Nullable Flight flight,
            @Nullable CachedResponse stored,
            @Nullable Exchange client) {
        new Fetch(this, purpose, request.kept(), flight, stored, client).start();
    }

    static void refuse(Exchange exchange, UpstreamFailure failure, String forwarded) {
        String status = CacheStatus.NAME + ": " + CacheStatus.failed(forwarded);
        if (failure.status() == Statuses.UNAVAILABLE) {
            exchange.refuse(failure.status(), failure.reason(), status, "Retry-After: 1");
        } else {
            exchange.refuse(failure.status(), failure.reason(), status);
        }
    }

    /**
     * A response to HEAD says what is new of the stored one, or that it is another (RFC 9111, section 4.3.5). What could
     * not be stored, because it is for one client, changes nothing, and nor does an answer to a request that is for the
     * origin alone.
     */
    void headAnswered(CacheRequest request, Reply reply, Instant requested, Instant received) {
        @Nullable CachedResponse stored = request.isForOrigin() ? null : cache.peek(request);
        if (stored == null) {
            return;
        }
        try {
            StoredHead news = stored.head().updated(reply.fields(), requested, received);
            if (reply.status() != Statuses.OK || stored.head().reply().status() != Statuses.OK) {
                return;
            }
            if (!isSame(reply, stored)) {
                cache.forget(stored);
            } else if (Storability.of(request.asGet(), news) == Storability.STORED) {
                cache.validated(stored, news, request.asGet()).release();
            }
        } finally {
            stored.release();
        }
    }

    private static boolean isSame(Reply reply, CachedResponse stored) {
        String length = reply.fields().only("Content-Length");
        boolean sameLength = length == null || length.equals(Integer.toString(stored.bodyBytes()));
        return sameLength
                && Set.of("ETag", "Last-Modified").stream().allMatch(name -> {
                    String told = reply.fields().only(name);
                    return told == null
                            || told.equals(stored.head().reply().fields().only(name));
                });
    }
}
