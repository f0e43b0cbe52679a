// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

/**
 * How much {@link RebuildBench} measures.
 *
 * @param rounds rebuilds of each kind
 * @param files what is on the nodes
 * @param mebibytes of each file
 * @param passes in which a file is written and read, before a rebuild and during it
 */
record RebuildScale(int rounds, int files, int mebibytes, int passes) {
    /** What figures for others are taken with. */
    static RebuildScale full() {
        return new RebuildScale(3, 24, 256, 8);
    }

    /** For work on the program. */
    static RebuildScale quick() {
        return new RebuildScale(1, 8, 256, 4);
    }

    /** Of each file, and of the one that is written and read meanwhile. */
    StorageScale load() {
        StorageScale usual = StorageScale.full();
        return new StorageScale(rounds, mebibytes, usual.seconds(), usual.bound());
    }
}
