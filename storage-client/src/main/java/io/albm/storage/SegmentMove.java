// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/** All that a node holds of a segment goes to another one. */
record SegmentMove(SegmentReader reader, Relocation.Move move) {
    long blocks() {
        return reader.layout().blocksOn(move.from(), reader.segment().length());
    }

    int unit(long stripe) {
        return reader.layout().unitOn(move.from(), stripe);
    }

    /** Bytes of the block that moves; 0 if the stripe has none there. */
    int length(long stripe) {
        return reader.length(stripe, unit(stripe));
    }

    /** The segment before it. */
    Segment before() {
        return reader.segment();
    }

    /** The segment after it. */
    Segment after() {
        return move.of(before());
    }
}
