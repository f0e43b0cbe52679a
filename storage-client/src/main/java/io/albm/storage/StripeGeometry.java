// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.List;

/**
 * How a file's bytes are cut: stripes of {@code dataUnits} units of {@code unitBytes}, each stripe with
 * {@code parityUnits} units of parity. The last stripe of a file holds what is left and is not padded: its last data
 * unit is short, units past the end of the file do not exist, and its parity is as long as its longest data unit. Parity of
 * a single data unit equals it: what is no longer than one unit is kept as M + 1 copies.
 *
 * @param dataUnits K, 1 to 32
 * @param parityUnits M, how many units of a stripe may be lost: 0, 1 (XOR) or 2 ({@linkplain StripeCode P + Q})
 * @param unitBytes bytes of a full unit, 4 KiB to 16 MiB, a multiple of 4 KiB
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StripeGeometry(int dataUnits, int parityUnits, int unitBytes) {
    static final int MAX_DATA_UNITS = 32;
    /** Upper bound of M. */
    public static final int MAX_PARITY_UNITS = 2;

    static final int MAX_WIDTH = MAX_DATA_UNITS + MAX_PARITY_UNITS;
    /** What units are halved down to, and the least that anybody can ask for; simulations have shorter ones. */
    static final int MIN_UNIT_BYTES = 64 * 1024;
    /** Upper bound of a unit, and so of any block's body: 16 MiB. */
    public static final int MAX_UNIT_BYTES = 16 * 1024 * 1024;

    private static final int UNIT_ALIGNMENT = 4096;

    public StripeGeometry {
        require(dataUnits >= 1 && dataUnits <= MAX_DATA_UNITS, "data units " + dataUnits + ": expected 1 to 32");
        require(
                parityUnits >= 0 && parityUnits <= MAX_PARITY_UNITS,
                "parity units " + parityUnits + ": expected 0 to " + MAX_PARITY_UNITS);
        require(
                unitBytes >= UNIT_ALIGNMENT && unitBytes <= MAX_UNIT_BYTES && unitBytes % UNIT_ALIGNMENT == 0,
                "unit of " + unitBytes + " bytes: expected 4 KiB to 16 MiB, a multiple of 4 KiB");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Units of a stripe, data and parity: the number of nodes a file lies on. */
    public int width() {
        return dataUnits + parityUnits;
    }

    /** File bytes in a full stripe. */
    public int stripeBytes() {
        return Math.multiplyExact(dataUnits, unitBytes);
    }

    /** Stripes of a file of {@code length} bytes; an empty file has none. */
    public long stripes(long length) {
        return Math.ceilDiv(length, stripeBytes());
    }

    /** File bytes in stripe {@code stripe} of a file of {@code length} bytes. */
    public int bytesInStripe(long length, long stripe) {
        return clamp(length - stripe * stripeBytes(), stripeBytes());
    }

    /** Bytes of one unit, data or parity, in a stripe that holds {@code bytesInStripe} file bytes; 0 if it does not exist. */
    public int unitLength(int bytesInStripe, int unit) {
        int dataUnit = unit < dataUnits ? unit : 0;
        return clamp(bytesInStripe - (long) dataUnit * unitBytes, unitBytes);
    }

    /** Whether a stripe of so many bytes is one unit, which its parity units are copies of. */
    boolean isCopied(int bytesInStripe) {
        return bytesInStripe <= unitBytes;
    }

    /** The same units and parity for what one unit holds: copies of it. */
    StripeGeometry copied() {
        return new StripeGeometry(1, parityUnits, unitBytes);
    }

    boolean canBeHalved() {
        return unitBytes / 2 >= MIN_UNIT_BYTES;
    }

    /** The same with units half as long, as nearly as they can be. */
    StripeGeometry halved() {
        return new StripeGeometry(dataUnits, parityUnits, unitBytes / 2 / UNIT_ALIGNMENT * UNIT_ALIGNMENT);
    }

    /** Where {@code length} file bytes of a stripe lie that start {@code from} bytes behind the stripe's first. */
    List<UnitRange> rangesOf(int from, int length) {
        List<UnitRange> ranges = new ArrayList<>();
        for (int at = from;
                at < from + length;
                at = ranges.getLast().unit() * unitBytes + ranges.getLast().end()) {
            int start = at % unitBytes;
            ranges.add(new UnitRange(at / unitBytes, start, Math.min(unitBytes - start, from + length - at)));
        }
        return ranges;
    }

    private static int clamp(long value, int max) {
        return (int) Math.clamp(value, 0L, max);
    }
}
