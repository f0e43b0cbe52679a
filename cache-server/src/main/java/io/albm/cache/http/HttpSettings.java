// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.time.Duration;

/**
 * The bounds of the HTTP front.
 *
 * @param maxConnections connections at once; one more is closed
 * @param pipelineDepth requests of one connection under way at once; beyond it the connection is not read
 * @param maxHeadBytes length of a request line, and of all headers together
 * @param headTimeout from the first byte of a request to its end
 * @param idleTimeout between requests
 * @param writeTimeout without progress while a response is sent
 */
public record HttpSettings(
        int maxConnections,
        int pipelineDepth,
        int maxHeadBytes,
        Duration headTimeout,
        Duration idleTimeout,
        Duration writeTimeout) {

    /** 10 000 connections, 16 requests each, heads of 16 KiB; 10, 60 and 30 seconds. */
    public static final HttpSettings DEFAULTS = new HttpSettings(
            10_000, 16, 16 << 10, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));
}
