// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.Forwarding;
import java.time.Duration;

/**
 * The bounds of the data path, which all frontends share.
 *
 * @param maxHeadBytes largest request head; beyond it 414 or 431
 * @param maxClients client connections at once; those beyond are closed when accepted
 * @param maxAttempts backends that one request may be sent to, the first included
 * @param retryRatio retries paid for by each request, 0 to 1
 * @param retryBurst retries that can be saved up, over all event loops
 * @param headTimeout from a request head's first byte to its last; then 408
 * @param idleTimeout a client connection on which nothing moves: closed between requests, 408 within a request's body,
 *     cut when the client takes nothing of the response
 * @param minProgressBytes what a client has to send of a body within the idle timeout until it is answered; 0 for a byte
 * @param connectTimeout for a connection to a backend
 * @param responseTimeout a backend that takes no more of a request, or has it and sends nothing; 504 before the response,
 *     else as if it died
 * @param upstreamIdleTimeout how long an unused connection to a backend is kept
 * @param tunnelTimeout a tunnel (TCP, or a switched protocol) on which nothing moves is closed
 * @param http2DrainTimeout how long an HTTP/2 connection whose frontend is gone may take for the streams that it has
 * @param forwarding what backends are told about the client
 */
public record ProxySettings(
        int maxHeadBytes,
        int maxClients,
        int maxAttempts,
        double retryRatio,
        int retryBurst,
        Duration headTimeout,
        Duration idleTimeout,
        int minProgressBytes,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration upstreamIdleTimeout,
        Duration tunnelTimeout,
        Duration http2DrainTimeout,
        Forwarding forwarding) {}
