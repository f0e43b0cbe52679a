// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import java.time.Duration;

/**
 * What a frame server takes on at once.
 *
 * @param maxConnections open connections; one more gets a {@link WireCode#BUSY} error frame and is closed
 * @param maxInFlightPerConnection requests taken and not yet answered; at the bound the server stops reading that
 *     connection, so that TCP pushes back on the client
 * @param maxStandstill how long the sender may stop in the middle of a frame before the connection is closed: as long as the frame's
 *     deadline if that is longer, at most 60 s, and up to once this time more
 */
public record FrameServerLimits(int maxConnections, int maxInFlightPerConnection, Duration maxStandstill) {

    public static final FrameServerLimits DEFAULT = new FrameServerLimits(1024, 64);

    public FrameServerLimits {
        if (maxConnections < 1 || maxInFlightPerConnection < 1) {
            throw new IllegalArgumentException("limits of %d connections and %d requests, expected at least 1"
                    .formatted(maxConnections, maxInFlightPerConnection));
        }
        if (maxStandstill.toMillis() < 1) {
            throw new IllegalArgumentException("standstill of " + maxStandstill + ", expected at least 1 ms");
        }
    }

    /** Limits with the usual patience. */
    public FrameServerLimits(int maxConnections, int maxInFlightPerConnection) {
        this(maxConnections, maxInFlightPerConnection, Duration.ofSeconds(5));
    }
}
