// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * When the log has grown so long that a snapshot costs less than to replay it. Changes wait while one is made, about 2.6 s for a
 * million names, so a log of twice its size comes before the next.
 */
final class SnapshotSchedule {
    private static final long MAX_BATCHES = 10_000;

    private final long leastLogBytes;
    private SnapshotPointer held;
    private long logBytes;

    /** @param logBytes in batches behind the snapshot that holds */
    SnapshotSchedule(long leastLogBytes, SnapshotPointer held, long logBytes) {
        this.leastLogBytes = leastLogBytes;
        this.held = held;
        this.logBytes = logBytes;
    }

    SnapshotPointer held() {
        return held;
    }

    long logBytes() {
        return logBytes;
    }

    void appended(int bytes) {
        logBytes += bytes;
    }

    /** @param position of the last batch */
    boolean isDue(long position) {
        return logBytes > Math.max(leastLogBytes, 2 * held.bytes()) || position - held.position() > MAX_BATCHES;
    }

    /** @param contained bytes of the log that the snapshot contains */
    void saved(SnapshotPointer pointer, long contained) {
        held = pointer;
        logBytes -= contained;
    }
}
