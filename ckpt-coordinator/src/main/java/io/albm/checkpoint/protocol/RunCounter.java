// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Numbers the runs of all jobs that ever had a name, by the version of a node. Hosts remember the last run of a name and
 * obey no lower one, so the count goes on when a job is removed. Thread-safe.
 */
public final class RunCounter {
    private final CoordinationStore store;
    private final String runs;
    private final String earlier;

    public RunCounter(CoordinationStore store, JobPaths paths) {
        this.store = store;
        this.runs = paths.runs();
        this.earlier = paths.earlierRuns();
    }

    /**
     * One more run, for the transaction that begins it: that fails if another was counted meanwhile.
     *
     * @param number higher than that of every run before
     */
    public record Next(long number, List<Operation> count) {}

    /** The last number; 0 if there was no run. */
    public CompletableFuture<Long> last() {
        return read().thenApply(Counts::last);
    }

    /** The number after the last one. */
    public CompletableFuture<Next> next() {
        return read().thenApply(counts -> new Next(counts.last() + 1, count(counts)));
    }

    /** Fails a transaction unless this is the last run. */
    public Operation check(long run) {
        return new Operation.Check(runs, Math.toIntExact(run - 1));
    }

    /** The old place first: a count that is moved meanwhile is seen in one of them. */
    private CompletableFuture<Counts> read() {
        return store.read(earlier).thenCombine(store.read(runs), Counts::new);
    }

    private List<Operation> count(Counts counts) {
        if (counts.now().isPresent()) {
            return List.of(set(counts.now().get().version()));
        }
        List<Operation> all = new ArrayList<>();
        counts.old().ifPresent(node -> all.add(new Operation.Delete(earlier, node.version())));
        all.add(new Operation.Create(runs, new byte[0], false));
        // a new node's version can only be raised step by step
        for (long run = 0; run < counts.last(); run++) {
            all.add(set(Operation.ANY));
        }
        return all;
    }

    private Operation set(int version) {
        return new Operation.Set(runs, new byte[0], version);
    }

    private record Counts(Optional<Versioned> old, Optional<Versioned> now) {
        long last() {
            return now.or(() -> old).map(node -> node.version() + 1L).orElse(0L);
        }
    }
}
