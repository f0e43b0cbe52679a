// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.control.StateCopies;
import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.PageTarget;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What must hold after every fault: the newest checkpoint is complete and has, byte for byte, what the ranks had at its step,
 * numbers only grow, what was committed stays until two newer ones are, and no file is left that no checkpoint needs.
 */
final class CheckpointCheck {
    private static final int KEPT = 2;

    private final CheckpointCluster cluster;
    private final JobStore records;
    private final JobPaths paths;
    private final TreeSet<Long> everCommitted = new TreeSet<>();
    private PairState[] expected = {new PairState(0), new PairState(1)};
    private long next = 1;

    CheckpointCheck(CheckpointCluster cluster) {
        this.cluster = cluster;
        this.records = cluster.records();
        this.paths = records.paths();
    }

    void run() {
        DurableState state = cluster.ask(records::read);
        assertThat(state.next()).as("the next number").isGreaterThanOrEqualTo(next);
        assertThat(state.committed()).as("numbers that were given out").allMatch(number -> number < state.next());
        next = state.next();
        everCommitted.addAll(state.committed());
        assertThat(state.committed())
                .as("what was committed is there, but for what newer ones have replaced")
                .containsAll(everCommitted.descendingSet().stream().limit(KEPT).toList());
        requireExact(state.latest());
        await().alias("files that no checkpoint needs are gone")
                .until(() -> orphans().isEmpty());
    }

    private void requireExact(long number) {
        Committed entry = cluster.ask(() -> records.committed(number)).orElseThrow();
        Manifest manifest = cluster.ask(() -> JobStore.manifest(entry, cluster.files()));
        assertThat(manifest.units()).extracting(StoredUnit::rank).containsExactly(0, 1);
        advanceTo(manifest.step());
        StoredStates states = new StoredStates(cluster.files(), paths);
        for (StoredUnit unit : manifest.units()) {
            byte[] stored = new byte[Math.toIntExact(unit.size())];
            cluster.ask(() -> cluster.files().run(() -> states.read(unit, PageTarget.of(stored), StateCopies.NONE)));
            assertThat(stored)
                    .as("rank %d in checkpoint %d, step %d", unit.rank(), number, manifest.step())
                    .isEqualTo(expected[unit.rank()].bytes());
        }
    }

    /** What a run alone prints that ends at this step. */
    String hash(long step, int rank) {
        advanceTo(step);
        return expected[rank].sha256();
    }

    private void advanceTo(long step) {
        if (step < expected[0].step()) {
            expected = new PairState[] {new PairState(0), new PairState(1)};
        }
        while (expected[0].step() < step) {
            long first = expected[0].halo();
            long second = expected[1].halo();
            expected[0].advance(second);
            expected[1].advance(first);
        }
    }

    private Set<String> orphans() {
        Set<String> orphans = new HashSet<>(
                cluster.ask(() -> cluster.files().list(paths.files())).keySet());
        for (long number : cluster.ask(records::committedNumbers)) {
            Optional<Committed> entry = cluster.ask(() -> records.committed(number));
            entry.ifPresent(committed -> orphans.removeAll(needed(committed)));
        }
        return orphans;
    }

    private Set<String> needed(Committed entry) {
        Manifest manifest = cluster.ask(() -> JobStore.manifest(entry, cluster.files()));
        Set<String> needed = new HashSet<>(Set.of(entry.manifest()));
        manifest.units().stream().map(StoredUnit::path).forEach(needed::add);
        manifest.packs().stream().map(Pack::id).map(paths::pack).forEach(needed::add);
        return needed;
    }
}
