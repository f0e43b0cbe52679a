// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a coordinator changes of a job's records: the transactions of the protocol. Each checks the epoch that it was elected
 * with, so a deposed one changes nothing. They fail with {@link io.albm.core.cluster.CoordinationException}. Thread-safe.
 */
final class LeaderTransactions {
    private final JobStore job;
    private final JobPaths paths;
    private final CoordinationStore store;
    private final Operation fence;

    LeaderTransactions(JobStore job, CoordinationStore store, long epoch) {
        this.job = job;
        this.paths = job.paths();
        this.store = store;
        this.fence = new Leadership.Leader(epoch).fence(Role.COORDINATOR);
    }

    CompletableFuture<Void> open(Action.Open open) {
        List<Operation> operations = new ArrayList<>(List.of(
                fence,
                new Operation.Set(paths.next(), JobStore.number(open.number() + 1), open.nextVersion()),
                new Operation.Create(
                        paths.inflight(open.number()), Json.bytes(Inflight.begun(open.number(), open.base())), false)));
        if (open.base() != 0) {
            operations.add(new Operation.Check(paths.committed(open.base()), Operation.ANY));
        }
        return store.commit(operations);
    }

    CompletableFuture<Void> recordVotes(Action.RecordVotes votes) {
        String path = paths.inflight(votes.inflight().number());
        return store.commit(List.of(fence, new Operation.Set(path, Json.bytes(votes.inflight()), votes.version())));
    }

    CompletableFuture<Void> commit(Action.Commit commit) {
        long number = commit.entry().number();
        return store.commit(List.of(
                fence,
                new Operation.Create(paths.committed(number), Json.bytes(commit.entry()), false),
                new Operation.Set(paths.latest(), JobStore.number(number), commit.latestVersion()),
                new Operation.Delete(paths.inflight(number), commit.inflightVersion())));
    }

    CompletableFuture<Void> drop(Action.Drop drop) {
        return store.commit(List.of(
                fence,
                new Operation.Delete(paths.inflight(drop.number()), drop.version()),
                new Operation.Set(
                        paths.aborted(), Json.bytes(new Aborted(drop.number(), drop.reason())), Operation.ANY)));
    }

    /** Not if the marks are no longer those that said that it may go: a pin that was answered holds. */
    CompletableFuture<Void> forget(long committed, int marksVersion) {
        return store.commit(List.of(
                fence,
                new Operation.Check(paths.marks(), marksVersion),
                new Operation.Delete(paths.committed(committed), Operation.ANY)));
    }

    /** Keeps a record, and the {@link DrainRecord#KEPT} newest of the others. */
    CompletableFuture<Void> explain(DrainRecord record) {
        return job.explainedNumbers().thenCompose(kept -> {
            List<Operation> all = new ArrayList<>();
            all.add(fence);
            while (kept.size() >= DrainRecord.KEPT) {
                all.add(new Operation.Delete(paths.drain(kept.removeFirst()), Operation.ANY));
            }
            all.add(new Operation.Create(paths.drain(record.number()), Json.bytes(record), false));
            return store.commit(all);
        });
    }
}
