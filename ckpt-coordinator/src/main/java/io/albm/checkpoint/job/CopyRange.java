// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

/**
 * Bytes of a rank's state, as one host asks them of another: of what the rank has saved there in this checkpoint, or of the
 * newest copy that the host keeps of the rank.
 *
 * @param length 1 to {@link #MOST_BYTES}
 */
public record CopyRange(long checkpoint, int rank, long offset, int length) {
    /** Of one answer: what is in memory, and on the wire, for each copy that is read. */
    public static final int MOST_BYTES = 256 << 10;

    public CopyRange {
        if (checkpoint < 1 || rank < 0 || offset < 0 || length < 1 || length > MOST_BYTES) {
            throw new IllegalArgumentException("checkpoint %d, rank %d, %d bytes from %d on: expected 1 to %d bytes"
                    .formatted(checkpoint, rank, length, offset, MOST_BYTES));
        }
    }
}
