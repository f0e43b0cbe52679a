// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.List;

/**
 * What belongs to one checkpoint: a JSON file in the striped store, under a name of its own.
 *
 * @param step the step at which every rank saved
 * @param epoch of the coordinator that wrote it
 * @param groupSize the largest number of ranks that wrote at once
 * @param units one for each rank, in rank order
 */
public record Manifest(String job, long number, long step, long epoch, int groupSize, List<StoredUnit> units) {
    public Manifest {
        units = List.copyOf(units);
    }

    /** Bytes of all ranks together. */
    public long bytes() {
        return units.stream().mapToLong(StoredUnit::size).sum();
    }
}
