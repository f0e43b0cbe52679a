// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.List;

/**
 * What a {@link TableTail} gave a new leader.
 *
 * @param epoch of the leader whose entries these are; 0 if there are none
 * @param first the number of the first entry
 */
record Tail(long epoch, long first, List<byte[]> entries) {
    static final Tail NONE = new Tail(0, 1, List.of());

    /** The number of the last entry. */
    long last() {
        return first + entries.size() - 1;
    }
}
