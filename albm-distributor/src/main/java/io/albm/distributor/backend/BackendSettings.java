// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.time.Duration;

/**
 * How backends are judged.
 *
 * @param checkPath what a health check asks for; {@link #CONNECT_ONLY} if a connection is enough
 * @param checkInterval time between two checks of a backend
 * @param checkTimeout for a whole check
 * @param rise good checks in a row that bring a backend up
 * @param fall bad checks in a row that take it down
 * @param connectFailures failed connections in a row, of requests, that take it down at once
 * @param maxConnections requests to one backend at once, or connections that became tunnels; over all event loops together
 * @param reportMaxAge older counters are not believed
 * @param protection when a backend is taken out although its checks are answered
 */
public record BackendSettings(
        String checkPath,
        Duration checkInterval,
        Duration checkTimeout,
        int rise,
        int fall,
        int connectFailures,
        int maxConnections,
        Duration reportMaxAge,
        ProtectionSettings protection) {
    /** The check path of backends whose protocol is not known. */
    public static final String CONNECT_ONLY = "";

    boolean checksByConnecting() {
        return checkPath.equals(CONNECT_ONLY);
    }
}
