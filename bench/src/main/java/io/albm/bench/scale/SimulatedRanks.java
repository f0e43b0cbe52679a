// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Production's supervisor protocol over ranks that answer, save and store as told: spread over some time, as ranks are, and with
 * the indexes and packs that states of that size have. A state is new in the first checkpoint of a chain, a tenth of it in later ones.
 */
final class SimulatedRanks implements SupervisorProtocol.Effects {
    private static final Duration ANSWER = Duration.ofMillis(20);
    private static final Duration SAVE = Duration.ofMillis(500);
    private static final int TURNS = 16;
    private static final int PAGE = 4096;
    private static final int HASH = 32;
    private static final double CHANGED = 0.1;
    private static final String SHA256 = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

    private final VirtualTime time;
    private final SimulatedLinks links;
    private final SimulatedFiles files;
    private final JobPaths paths;
    private final int ranks;
    private final long stateBytes;
    private final SupervisorProtocol protocol;
    private Map<Integer, StoredUnit> base = new HashMap<>();
    private Map<Integer, StoredUnit> latest = new HashMap<>();
    private long drained;

    SimulatedRanks(
            VirtualTime time, SimulatedLinks links, SimulatedFiles files, JobPaths paths, int ranks, long stateBytes) {
        this.time = time;
        this.links = links;
        this.files = files;
        this.paths = paths;
        this.ranks = ranks;
        this.stateBytes = stateBytes;
        this.protocol = new SupervisorProtocol(ranks, this, 1);
        for (int rank = 0; rank < ranks; rank++) {
            protocol.joined(rank);
        }
    }

    SupervisorProtocol protocol() {
        return protocol;
    }

    @Override
    public void hold(long checkpoint) {
        spread(ANSWER, rank -> protocol.begun(checkpoint, rank, 1000 * checkpoint));
    }

    @Override
    public void save(long checkpoint, long step, boolean last) {
        spread(SAVE, rank -> protocol.saved(checkpoint, rank, new LocalCopy(stateBytes + rank, 0xcafe_0000L + rank)));
    }

    private void spread(Duration over, IntConsumer each) {
        for (int turn = 0; turn < TURNS; turn++) {
            int first = turn;
            time.after(over.multipliedBy(turn + 1).dividedBy(TURNS), () -> {
                for (int rank = first; rank < ranks; rank += TURNS) {
                    each.accept(rank);
                }
            });
        }
    }

    @Override
    public void drain(long checkpoint, long newestBase, int rank, LocalCopy copy) {
        if (drained != checkpoint) {
            drained = checkpoint;
            base = newestBase == 0 ? new HashMap<>() : latest;
            latest = new HashMap<>();
        }
        StoredUnit unit = unit(checkpoint, rank, copy);
        links.write(unit.own().bytes() + (double) unit.indexBytes(), () -> {
            files.stored(paths.pack(unit.own().id()), unit.own().bytes());
            files.stored(unit.path(), unit.indexBytes());
            latest.put(rank, unit);
            protocol.stored(checkpoint, unit);
        });
    }

    private StoredUnit unit(long checkpoint, int rank, LocalCopy copy) {
        StoredUnit before = base.get(rank);
        List<Pack> earlier = new ArrayList<>();
        if (before != null) {
            earlier.addAll(before.earlier());
            earlier.add(before.own());
        }
        long fresh = before == null ? copy.size() : (long) (copy.size() * CHANGED);
        Pack own = new Pack(new PackId(checkpoint, rank), fresh, fresh);
        long index = copy.size() / PAGE * HASH;
        return new StoredUnit(
                rank, paths.index(checkpoint, rank), copy.size(), SHA256, index, SHA256, copy.size(), own, earlier);
    }

    @Override
    public void release(long checkpoint) {}

    @Override
    public void committed(long checkpoint) {}

    @Override
    public void halt(long checkpoint) {}

    @Override
    public void discard(long checkpoint) {}
}
