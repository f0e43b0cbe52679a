// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.time.Duration;

/**
 * How a client writes and reads.
 *
 * @param unitBytes bytes of a stripe unit, 64 KiB to 16 MiB
 * @param maxDataUnits K with nodes enough; with fewer, K is the number of live nodes less {@code parityUnits}
 * @param parityUnits M, 0 or 1
 * @param stripesInFlight stripes that one stream holds in memory at most, 1 to 64: memory per stream is about this many
 *     stripes with their parity, whatever the file's size
 * @param deadline bound on one block request; a node that does not answer within it counts as lost
 */
public record StripeSettings(int unitBytes, int maxDataUnits, int parityUnits, int stripesInFlight, Duration deadline) {
    public static final StripeSettings DEFAULT = new StripeSettings(1 << 20, 4, 1, 3, Duration.ofSeconds(10));

    public StripeSettings {
        new StripeGeometry(maxDataUnits, parityUnits, unitBytes);
        if (stripesInFlight < 1 || stripesInFlight > 64) {
            throw new IllegalArgumentException("stripes in flight " + stripesInFlight + ": expected 1 to 64");
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline " + deadline + ": expected more than 0");
        }
    }

    /** These settings with another unit size. */
    public StripeSettings withUnitBytes(int bytes) {
        return new StripeSettings(bytes, maxDataUnits, parityUnits, stripesInFlight, deadline);
    }

    /** The geometry of a file written while {@code liveNodes} nodes are alive. */
    StripeGeometry geometry(int liveNodes) throws StorageException {
        if (liveNodes < 1 + parityUnits) {
            throw new StorageException.TooFewNodes(liveNodes, 1 + parityUnits);
        }
        return new StripeGeometry(Math.min(maxDataUnits, liveNodes - parityUnits), parityUnits, unitBytes);
    }
}
