// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** A range of a unit as it was found. */
sealed interface Unit {
    UnitRange range();

    /** Checked bytes of the range. Whoever holds it owns one reference of them. */
    record Good(UnitRange range, ByteBuf body) implements Unit {
        /** Another holder's part of it. */
        Good part(UnitRange part) {
            int start = body.readerIndex() + part.from() - range.from();
            return new Good(part, body.retainedSlice(start, part.length()));
        }
    }

    record Lost(UnitRange range, StorageException cause) implements Unit {
        /** Whether the node answers but the block is not what it should be. */
        boolean isRepairable() {
            return cause instanceof StorageException.BlockMissing || cause instanceof StorageException.BlockCorrupt;
        }

        /** Whether the node was not waited for. */
        boolean isSlow() {
            return cause instanceof StorageException.NodeSlow;
        }
    }

    static List<Lost> lost(List<Unit> units) {
        return units.stream()
                .filter(Lost.class::isInstance)
                .map(Lost.class::cast)
                .toList();
    }

    static List<Good> good(List<Unit> units) {
        return units.stream()
                .filter(Good.class::isInstance)
                .map(Good.class::cast)
                .toList();
    }

    static void release(List<? extends Unit> units) {
        for (Unit unit : units) {
            if (unit instanceof Good good) {
                good.body().release();
            }
        }
    }
}
