// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * Which snapshot holds.
 *
 * @param name of its directory; empty if there is none
 * @param position of the last batch of the log that it contains; the log goes on with the next one
 * @param chunks how many nodes it lies in
 * @param bytes of all chunks
 */
record SnapshotPointer(String name, long position, int chunks, long bytes) {
    static final SnapshotPointer NONE = new SnapshotPointer("", 0, 0, 0);
}
