// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/**
 * What a frame server takes on at once.
 *
 * @param maxConnections open connections; one more gets a {@link WireCode#BUSY} error frame and is closed
 * @param maxInFlightPerConnection requests taken and not yet answered; at the bound the server stops reading that
 *     connection, so that TCP pushes back on the client
 */
public record FrameServerLimits(int maxConnections, int maxInFlightPerConnection) {

    public static final FrameServerLimits DEFAULT = new FrameServerLimits(1024, 64);

    public FrameServerLimits {
        if (maxConnections < 1 || maxInFlightPerConnection < 1) {
            throw new IllegalArgumentException("limits of %d connections and %d requests, expected at least 1"
                    .formatted(maxConnections, maxInFlightPerConnection));
        }
    }
}
