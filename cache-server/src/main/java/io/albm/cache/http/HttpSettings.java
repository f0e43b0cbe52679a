// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.time.Duration;

/**
 * The bounds of the HTTP front.
 *
 * @param maxConnections connections at once; one more is closed
 * @param pipelineDepth requests of one connection under way at once; beyond it the connection is not read
 * @param maxHeadBytes largest request head; beyond it 414 or 431
 * @param headTimeout from a request head's first byte to its last; then 408
 * @param idleTimeout between requests
 * @param writeTimeout without progress while a response is sent
 * @param minProgressBytes what a client has to send of a body within the idle timeout, else 408, and to take of responses
 *     within the write timeout, else it is cut; 0 for a byte
 */
public record HttpSettings(
        int maxConnections,
        int pipelineDepth,
        int maxHeadBytes,
        Duration headTimeout,
        Duration idleTimeout,
        Duration writeTimeout,
        int minProgressBytes) {

    /** 10 000 connections, 16 requests each, heads of 16 KiB; 10, 60 and 30 seconds; 1 KiB of a body. */
    public static final HttpSettings DEFAULTS = new HttpSettings(
            10_000, 16, 16 << 10, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30), 1 << 10);
}
