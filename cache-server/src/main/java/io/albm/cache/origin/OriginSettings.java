// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;

/**
 * Which origin, and the bounds of what is asked of it.
 *
 * @param origin which, and how it is spoken to
 * @param connections to it, of each event loop
 * @param queuedRequests that wait for a connection, of each event loop; one more gets 503
 * @param connectTimeout until a connection is there, and as long again for TLS
 * @param responseTimeout until the response begins, and between its bytes; also the longest wait for a connection
 * @param idleTimeout for how long an unused connection is kept
 * @param staleIfError for how long after its lifetime a response stands in for a failing origin that said nothing of it
 */
public record OriginSettings(
        Origin origin,
        int connections,
        int queuedRequests,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration idleTimeout,
        Duration staleIfError) {

    /** Of one URL; when one more is stored, the oldest is forgotten. */
    static final int MOST_VARIANTS = 32;

    /** The bounds that suit most origins: 64 connections, 1024 requests waiting; 2, 30 and 4 seconds; nothing stale. */
    public static OriginSettings of(Origin origin) {
        return new OriginSettings(
                origin, 64, 1024, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(4), Duration.ZERO);
    }
}
