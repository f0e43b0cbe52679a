// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How a client writes and reads.
 *
 * @param unitBytes bytes of a stripe unit, 4 KiB to 16 MiB; of what is written beside many others, {@linkplain StreamMemory
 *     fewer}
 * @param maxDataUnits K with nodes and failure domains enough; with fewer, K + M is the number of live nodes, or M for each live
 *     domain, if that is less
 * @param parityUnits M, 0 to 2; null for {@linkplain LiveNodes#parityUnits what the storage nodes are set to}
 * @param stripesInFlight stripes that one stream has on their way at most, 1 to 64, as long as {@link StreamMemory} lasts
 * @param deadline bound on one block request; a node that does not answer within it counts as lost
 */
public record StripeSettings(
        int unitBytes, int maxDataUnits, @Nullable Integer parityUnits, int stripesInFlight, Duration deadline) {
    public static final StripeSettings DEFAULT = new StripeSettings(1 << 20, 4, null, 5, Duration.ofSeconds(10));

    public StripeSettings {
        new StripeGeometry(maxDataUnits, parityUnits == null ? 0 : parityUnits, unitBytes);
        if (stripesInFlight < 1 || stripesInFlight > 64) {
            throw new IllegalArgumentException("stripes in flight " + stripesInFlight + ": expected 1 to 64");
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline " + deadline + ": expected more than 0");
        }
    }

    /**
     * These settings with another unit size.
     *
     * @param bytes 64 KiB to 16 MiB, a multiple of 4 KiB
     */
    public StripeSettings withUnitBytes(int bytes) {
        if (bytes < StripeGeometry.MIN_UNIT_BYTES) {
            throw new IllegalArgumentException(
                    "unit of " + bytes + " bytes: expected 64 KiB to 16 MiB, a multiple of 4 KiB");
        }
        return new StripeSettings(bytes, maxDataUnits, parityUnits, stripesInFlight, deadline);
    }

    /** These settings with another number of parity units. */
    public StripeSettings withParityUnits(int units) {
        return new StripeSettings(unitBytes, maxDataUnits, units, stripesInFlight, deadline);
    }

    /**
     * The geometry of a file that is written over some nodes.
     *
     * @param usualParityUnits M unless these settings say it
     */
    StripeGeometry geometry(Collection<RendezvousPlacement.Candidate> nodes, int usualParityUnits)
            throws StorageException {
        int parity = parityUnits(usualParityUnits);
        if (nodes.size() < 1 + parity) {
            throw new StorageException.TooFewNodes(nodes.size(), parity);
        }
        int width = DomainSpread.widest(nodes, parity, maxDataUnits + parity);
        return new StripeGeometry(width - parity, parity, unitBytes);
    }

    /** M, where it is {@code usual} unless these settings say it. */
    int parityUnits(int usual) {
        return parityUnits == null ? usual : parityUnits;
    }
}
