// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the ranks of one node store in one checkpoint: which of their pages are new, to the checkpoint's base and to each
 * other. Safe for use by many threads, one for each rank.
 *
 * <p>A rank is planned once: a second try writes the same pack and the same index again, so that what other ranks have
 * found in its pack stays where they found it.
 */
public final class CheckpointPages {
    private final long checkpoint;
    private final JobPaths paths;
    private final PageTable table = new PageTable();
    private final Map<PackId, Pack> earlier = new ConcurrentHashMap<>();
    private final Map<Integer, StatePlan> plans = new ConcurrentHashMap<>();

    public CheckpointPages(long checkpoint, JobPaths paths) {
        this.checkpoint = checkpoint;
        this.paths = paths;
    }

    /** The packs of the base; before its indexes. */
    public void addBase(Manifest base) {
        base.packs().forEach(pack -> earlier.put(pack.id(), pack));
    }

    /** What is known of the base fills the memory for it: another index of it would be read for nothing. */
    public boolean isFull() {
        return table.isFull();
    }

    /** The pages of a rank of the base; before any rank is planned. */
    public void addBase(StateIndex index) {
        index.offerTo(table);
    }

    /**
     * What is to be stored of a rank's state.
     *
     * @param bytes length of the local copy
     * @throws TornStateException if the local copy is not what the rank wrote
     */
    public StatePlan plan(int rank, PageSource state, long bytes, LocalCopy copy) throws IOException {
        StatePlan known = plans.get(rank);
        if (known != null) {
            return known;
        }
        if (bytes != copy.size()) {
            throw new TornStateException(
                    "the local copy of rank " + rank + " is torn: " + bytes + " bytes, the rank wrote " + copy.size());
        }
        StatePlan plan = StatePlan.of(new PackId(checkpoint, rank), state, bytes, table);
        if (plan.crc32c() != copy.crc32c()) {
            throw new TornStateException("the local copy of rank " + rank + " is torn: CRC32C " + plan.crc32c()
                    + ", the rank wrote " + copy.crc32c());
        }
        plans.put(rank, plan);
        return plan;
    }

    /**
     * Says that pack and index of a rank are durable. Its plan is needed no longer.
     *
     * @param packBytes length of the pack; 0 if it needed none
     */
    public StoredUnit stored(int rank, long packBytes, byte[] index) {
        StatePlan plan = Optional.ofNullable(plans.remove(rank))
                .orElseThrow(() -> new IllegalStateException("rank " + rank + " has no plan"));
        return new StoredUnit(
                rank,
                paths.index(checkpoint, rank),
                plan.size(),
                plan.sha256(),
                index.length,
                Digests.sha256(index),
                plan.usedBytes(),
                new Pack(new PackId(checkpoint, rank), packBytes, plan.newBytes()),
                earlier(plan));
    }

    private List<Pack> earlier(StatePlan plan) {
        return plan.index().packs().stream()
                .filter(pack -> pack.checkpoint() != checkpoint)
                .map(this::known)
                .toList();
    }

    private Pack known(PackId pack) {
        return Optional.ofNullable(earlier.get(pack))
                .orElseThrow(() -> new IllegalStateException("the base does not need " + pack));
    }
}
