// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import org.jspecify.annotations.Nullable;

/**
 * How a process stands to the table.
 *
 * @param leading whether it answers requests
 * @param inodes in the table; 0 unless it leads
 * @param position of the last durable batch
 * @param snapshotBytes of the last snapshot
 * @param trouble why it cannot lead although it is elected; null if nothing is wrong
 */
public record TableStatus(
        boolean leading,
        long inodes,
        long position,
        long snapshotBytes,
        @Nullable String trouble) {
    static final TableStatus FOLLOWS = new TableStatus(false, 0, 0, 0, null);
}
