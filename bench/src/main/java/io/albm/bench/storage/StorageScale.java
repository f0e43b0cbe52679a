// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds in each of which every file system has its turn
 * @param mebibytes of the large file
 * @param seconds for which files are made, and pieces read and written
 * @param bound no round begins after that time
 */
record StorageScale(int rounds, int mebibytes, int seconds, Duration bound) {
    /** What figures for others are taken with. */
    static StorageScale full() {
        return new StorageScale(5, 512, 2, Duration.ofMinutes(17));
    }

    /** For work on the program. */
    static StorageScale quick() {
        return new StorageScale(3, 128, 1, Duration.ofSeconds(150));
    }
}
