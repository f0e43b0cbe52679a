// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.albm.core.node.NodeAddress;
import java.time.Duration;

/**
 * How to load a server.
 *
 * @param server where it listens
 * @param requestsPerSecond mean of the Poisson arrivals, above 0
 * @param connections most connections at a time, at least 1
 * @param timeout of one request, from its intended start
 * @param seed of arrivals and popularity
 */
public record LoadSettings(NodeAddress server, double requestsPerSecond, int connections, Duration timeout, long seed) {
    public LoadSettings {
        if (!(requestsPerSecond > 0)) {
            throw new IllegalArgumentException("requests per second " + requestsPerSecond + ": expected more than 0");
        }
        if (connections < 1) {
            throw new IllegalArgumentException("connections " + connections + ": expected at least 1");
        }
    }
}
