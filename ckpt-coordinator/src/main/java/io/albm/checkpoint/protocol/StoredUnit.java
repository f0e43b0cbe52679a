// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.List;

/**
 * A rank's state in the striped store: an index that says which pages it is made of, and packs that have them.
 *
 * @param path of the index: a name that no other checkpoint ever has
 * @param size bytes of the state
 * @param sha256 of the state, lower-case hexadecimal, of all bytes as read from the local copy
 * @param indexBytes length of the index
 * @param indexSha256 of the index, lower-case hexadecimal
 * @param usedBytes bytes of its pages that no other rank on its node has counted in this checkpoint
 * @param own the pack that it wrote in this checkpoint; of length 0 if all of its pages were stored already
 * @param earlier packs of earlier checkpoints that it needs
 */
public record StoredUnit(
        int rank,
        String path,
        long size,
        String sha256,
        long indexBytes,
        String indexSha256,
        long usedBytes,
        Pack own,
        List<Pack> earlier) {
    public StoredUnit {
        earlier = List.copyOf(earlier);
    }

    /** Without what its manifest says once for all ranks. */
    StoredUnit inManifest() {
        return new StoredUnit(rank, path, size, sha256, indexBytes, indexSha256, usedBytes, own, List.of());
    }
}
