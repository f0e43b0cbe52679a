// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** What {@code fallocate(2)} does to a range. */
public enum Allocation {
    /** Room is set aside; what is there stays. */
    RESERVE,
    /** The range becomes a hole and gives its room back; the size stays. */
    PUNCH_HOLE,
    /** The range becomes zeros and keeps its room. */
    ZERO
}
