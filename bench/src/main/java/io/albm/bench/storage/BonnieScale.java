// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

/**
 * How much bonnie++ does.
 *
 * @param rounds in each of which every file system has its turn
 * @param mebibytes of its file; whoever reads and writes it has half of that as memory
 * @param thousands of files that it creates and deletes, 1024 each
 */
record BonnieScale(int rounds, int mebibytes, int thousands) {
    /** What figures for others are taken with. */
    static BonnieScale full() {
        return new BonnieScale(3, 1024, 4);
    }

    /** For work on the program, and before the first round that counts. */
    static BonnieScale quick() {
        return new BonnieScale(1, 256, 1);
    }
}
