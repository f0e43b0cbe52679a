// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What belongs to one checkpoint: a JSON file in the striped store, under a name of its own.
 *
 * @param step the step at which every rank saved
 * @param epoch of the coordinator that wrote it
 * @param groupSize the largest number of ranks that wrote at once
 * @param units one for each rank, in rank order
 * @param earlier packs of earlier checkpoints that this one needs, each once
 */
public record Manifest(
        String job, long number, long step, long epoch, int groupSize, List<StoredUnit> units, List<Pack> earlier) {
    public Manifest {
        units = List.copyOf(units);
        earlier = List.copyOf(earlier);
    }

    static Manifest of(String job, Inflight inflight, long epoch, int groupSize, Collection<StoredUnit> stored) {
        List<Pack> earlier = stored.stream()
                .flatMap(unit -> unit.earlier().stream())
                .distinct()
                .toList();
        List<StoredUnit> units = stored.stream().map(StoredUnit::inManifest).toList();
        return new Manifest(job, inflight.number(), inflight.step(), epoch, groupSize, units, earlier);
    }

    /** Every pack that this checkpoint needs. */
    public List<Pack> packs() {
        List<Pack> packs = new ArrayList<>(earlier);
        own().forEach(packs::add);
        return packs;
    }

    /** Bytes of all ranks together. */
    public long bytes() {
        return units.stream().mapToLong(StoredUnit::size).sum();
    }

    /** Bytes of the pages that were not zero and not stored yet. */
    public long newBytes() {
        return own().mapToLong(Pack::pageBytes).sum();
    }

    /** Bytes that were stored for this checkpoint, without parity: packs and indexes. */
    public long storedBytes() {
        return own().mapToLong(Pack::bytes).sum()
                + units.stream().mapToLong(StoredUnit::indexBytes).sum();
    }

    /**
     * Whether the packs have more than twice the pages that this checkpoint needs. The next one then stores everything
     * anew, so that what is kept for old pages alone never grows beyond that.
     */
    public boolean isMostlyDead() {
        long packed = packs().stream().mapToLong(Pack::pageBytes).sum();
        return packed > 2 * units.stream().mapToLong(StoredUnit::usedBytes).sum();
    }

    private Stream<Pack> own() {
        return units.stream().map(StoredUnit::own).filter(pack -> pack.bytes() > 0);
    }
}
