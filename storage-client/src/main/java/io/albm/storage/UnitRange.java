// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of the bytes of one unit of a stripe.
 *
 * @param unit which, data or parity
 * @param from its start in the unit, in bytes
 * @param length bytes, at least 1
 */
record UnitRange(int unit, int from, int length) {
    UnitRange {
        if (from < 0 || length < 1) {
            throw new IllegalArgumentException(
                    length + " bytes from " + from + " of unit " + unit + ": expected at least 1 byte, from 0 or more");
        }
    }

    /** The first byte behind it. */
    int end() {
        return from + length;
    }

    /** The same range of another unit. */
    UnitRange of(int other) {
        return new UnitRange(other, from, length);
    }

    /** The range, cut at the ends of the unit's chunks. */
    List<UnitRange> chunks() {
        List<UnitRange> chunks = new ArrayList<>();
        for (int at = from; at < end(); at = chunks.getLast().end()) {
            int chunkEnd = (at / ChunkChecksums.CHUNK_BYTES + 1) * ChunkChecksums.CHUNK_BYTES;
            chunks.add(new UnitRange(unit, at, Math.min(chunkEnd, end()) - at));
        }
        return chunks;
    }

    /** Whether it has all bytes of another range of the same unit. */
    boolean covers(UnitRange part) {
        return unit == part.unit && from <= part.from && part.end() <= end();
    }
}
