// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.distributor.http.Forwarding;
import io.albm.distributor.proxy.ProxySettings;
import java.time.Duration;
import java.util.List;

/** Bounds and timeouts of what passes through. */
final class ProxyKeys {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Key<Long> MAX_HEAD =
            Key.size("max-head", 16 << 10, 1 << 10, 1 << 20, "Largest request head; one beyond it gets 414 or 431.");
    static final Key<Integer> MAX_CLIENTS =
            Key.integer("max-connections", 10_000, 1, 1_000_000, "Client connections at once; one more is closed.");
    static final Key<Integer> MAX_BACKEND_CONNECTIONS = Key.integer(
            "max-backend-connections",
            1_024,
            1,
            1_000_000,
            "Requests and tunnels to one backend at once, HAProxy's server maxconn; when every backend has as many, the next"
                    + " request waits in the queue.");
    static final Key<Integer> MAX_ATTEMPTS =
            Key.integer("max-attempts", 4, 1, 100, "How often one request is sent at most, the first time included.");
    static final Key<Double> RETRY_RATIO =
            Key.decimal("retry-ratio", 0.2, 0, 1, "Retries and resumes that each request pays for, in the long run.");
    static final Key<Integer> RETRY_BURST = Key.integer(
            "retry-burst", 1_000, 0, 1_000_000, "Retries and resumes that can be saved up for a dead backend.");
    static final Key<Integer> QUEUE_SIZE = Key.integer(
            "queue-size",
            1_024,
            0,
            1_000_000,
            "Requests that may wait while every backend is at max-backend-connections or, with policy albm, short of memory;"
                    + " one more gets 503.");
    static final Key<Duration> QUEUE_TIMEOUT = Key.duration(
            "queue-timeout",
            Duration.ofSeconds(3),
            MILLISECOND,
            HOUR,
            "How long a request waits for a backend; then 503 with Retry-After.");
    static final Key<Boolean> ANNOUNCE_WAITING = Key.flag(
            "announce-waiting",
            "Tell backends in Albm-Waiting what the requests that wait for one of them ask for; for cache servers with"
                    + " announced-window.");
    static final Key<Duration> HEAD_TIMEOUT = Key.duration(
            "head-timeout",
            Duration.ofSeconds(10),
            MILLISECOND,
            HOUR,
            "From the first byte of a request head to its last; then 408.");
    static final Key<Duration> IDLE_TIMEOUT = Key.duration(
            "idle-timeout",
            Duration.ofSeconds(60),
            MILLISECOND,
            HOUR,
            "For a client that sends nothing, or takes nothing of its response.");
    static final Key<Long> MIN_PROGRESS = Key.size(
            "min-progress",
            1 << 10,
            0,
            1 << 30,
            "What a client has to send of a request's body within idle-timeout, until it is answered; else 408.");
    static final Key<Duration> CONNECT_TIMEOUT =
            Key.duration("connect-timeout", Duration.ofSeconds(1), MILLISECOND, HOUR, "For a connection to a backend.");
    static final Key<Duration> RESPONSE_TIMEOUT = Key.duration(
            "response-timeout",
            Duration.ofSeconds(30),
            MILLISECOND,
            HOUR,
            "For a backend that takes no more of a request, or has it and sends nothing; then 504.");
    static final Key<Duration> BACKEND_IDLE_TIMEOUT = Key.duration(
            "backend-idle-timeout",
            Duration.ofSeconds(15),
            MILLISECOND,
            HOUR,
            "How long an unused connection to a backend is kept.");
    static final Key<Duration> TUNNEL_TIMEOUT = Key.duration(
            "tunnel-timeout",
            HOUR,
            MILLISECOND,
            Duration.ofDays(30),
            "For a TCP connection, or one whose protocol was switched (WebSocket), on which nothing moves.");
    static final Key<Duration> HTTP2_DRAIN_TIMEOUT = Key.duration(
            "http2-drain-timeout",
            HOUR,
            MILLISECOND,
            Duration.ofDays(30),
            "How long an HTTP/2 connection may take for the requests it has, once its frontend has gone or moved; on SIGTERM"
                    + " drain-timeout is the bound.");
    static final Key<Boolean> FORWARDED =
            Key.flag("forwarded", "Whether backends get the Forwarded header of RFC 7239 beside X-Forwarded-*.");
    static final Key<Boolean> REQUEST_ID =
            Key.flag("request-id", "Whether each request gets an X-Request-Id, unless it brings a well-formed one.");

    /** All of them, in the order of the help. */
    static final List<Key<?>> ALL = List.of(
            MAX_HEAD,
            MAX_CLIENTS,
            MAX_BACKEND_CONNECTIONS,
            MAX_ATTEMPTS,
            RETRY_RATIO,
            RETRY_BURST,
            QUEUE_SIZE,
            QUEUE_TIMEOUT,
            ANNOUNCE_WAITING,
            HEAD_TIMEOUT,
            IDLE_TIMEOUT,
            MIN_PROGRESS,
            CONNECT_TIMEOUT,
            RESPONSE_TIMEOUT,
            BACKEND_IDLE_TIMEOUT,
            TUNNEL_TIMEOUT,
            HTTP2_DRAIN_TIMEOUT,
            FORWARDED,
            REQUEST_ID);

    private ProxyKeys() {}

    static ProxySettings settings(Configuration configuration) {
        return new ProxySettings(
                Math.toIntExact(configuration.get(MAX_HEAD)),
                configuration.get(MAX_CLIENTS),
                configuration.get(MAX_ATTEMPTS),
                configuration.get(RETRY_RATIO),
                configuration.get(RETRY_BURST),
                configuration.get(HEAD_TIMEOUT),
                configuration.get(IDLE_TIMEOUT),
                Math.toIntExact(configuration.get(MIN_PROGRESS)),
                configuration.get(CONNECT_TIMEOUT),
                configuration.get(RESPONSE_TIMEOUT),
                configuration.get(BACKEND_IDLE_TIMEOUT),
                configuration.get(TUNNEL_TIMEOUT),
                configuration.get(HTTP2_DRAIN_TIMEOUT),
                new Forwarding(configuration.get(FORWARDED), configuration.get(REQUEST_ID)));
    }
}
