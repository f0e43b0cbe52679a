// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A job's records in the coordination store: the transactions of the protocol and the reading that resolves them. Every
 * transaction of a coordinator carries its epoch, so a deposed one changes nothing. Thread-safe.
 */
public final class JobStore {
    private final CoordinationStore store;
    private final JobPaths paths;

    public JobStore(CoordinationStore store, String job) {
        this.store = store;
        this.paths = new JobPaths(job);
    }

    public JobPaths paths() {
        return paths;
    }

    /** Makes the job's records. Fails with {@link CoordinationException.NodeExists} if the job is known already. */
    public CompletableFuture<Void> create(JobSpec spec) {
        return store.commit(List.of(
                create(paths.spec(), Json.bytes(spec)),
                create(paths.next(), number(1)),
                create(paths.latest(), number(0)),
                create(paths.trigger(), new byte[0]),
                create(paths.allInflight(), new byte[0]),
                create(paths.allCommitted(), new byte[0]),
                create(paths.drains(), new byte[0])));
    }

    /** What the job was first started with; empty if it is not known. */
    public CompletableFuture<Optional<JobSpec>> spec() {
        return store.read(paths.spec()).thenApply(read -> read.map(node -> Json.read(node.data(), JobSpec.class)));
    }

    /** The epoch is read last: if it is the reader's, no other leader changed what was read before. */
    public CompletableFuture<DurableState> read() {
        return store.read(paths.next())
                .thenCombine(store.read(paths.latest()), Positions::new)
                .thenCompose(positions -> inflight()
                        .thenCombine(
                                committedNumbers(),
                                (inflight, committed) -> new Contents(positions, inflight, committed)))
                .thenCompose(contents -> isFinished().thenCombine(epoch(), contents::state));
    }

    /** Numbers of all complete checkpoints. */
    public CompletableFuture<SortedSet<Long>> committedNumbers() {
        return store.children(paths.allCommitted()).thenApply(JobStore::numbers);
    }

    private static SortedSet<Long> numbers(List<String> names) {
        SortedSet<Long> numbers = new TreeSet<>();
        names.forEach(name -> numbers.add(Long.valueOf(name)));
        return numbers;
    }

    /** A complete checkpoint; empty if it is not there. */
    public CompletableFuture<Optional<Committed>> committed(long number) {
        return store.read(paths.committed(number))
                .thenApply(read -> read.map(node -> Json.read(node.data(), Committed.class)));
    }

    /** Numbers of the checkpoints whose drains are still explained. */
    public CompletableFuture<SortedSet<Long>> explainedNumbers() {
        return store.children(paths.drains()).thenApply(JobStore::numbers);
    }

    /** Why a checkpoint was stored as it was; empty if that is not, or no longer, known. */
    public CompletableFuture<Optional<DrainRecord>> explained(long number) {
        return store.read(paths.drain(number))
                .thenApply(read -> read.map(node -> Json.read(node.data(), DrainRecord.class)));
    }

    /** True once the job ended well. */
    public CompletableFuture<Boolean> isFinished() {
        return store.read(paths.finished()).thenApply(Optional::isPresent);
    }

    /** Marks the job's good end, durably: it is never restarted. */
    public CompletableFuture<Void> finish() {
        return store.commit(List.of(create(paths.finished(), new byte[0])));
    }

    /**
     * Removes all records of the job, in one transaction: a coordinator that still leads it finds nothing to commit to.
     * Fails with {@link CoordinationException.NodeExists} if a supervisor came meanwhile.
     */
    public CompletableFuture<Void> remove() {
        List<String> known = List.of(
                paths.next(), paths.latest(), paths.trigger(), paths.allInflight(), paths.allCommitted(), paths.spec());
        return store.children(paths.allInflight())
                .thenCombine(store.children(paths.allCommitted()), (inflight, committed) -> {
                    List<Operation> all = new ArrayList<>();
                    inflight.forEach(name -> all.add(delete(paths.allInflight() + "/" + name)));
                    committed.forEach(name -> all.add(delete(paths.allCommitted() + "/" + name)));
                    return all;
                })
                .thenCombine(store.children(paths.drains()), (all, drains) -> {
                    drains.forEach(name -> all.add(delete(paths.drains() + "/" + name)));
                    return all;
                })
                .thenCombine(store.read(paths.drains()), (all, parent) -> {
                    parent.ifPresent(_ -> all.add(delete(paths.drains())));
                    return all;
                })
                .thenCombine(isFinished(), (all, finished) -> {
                    if (finished) {
                        all.add(delete(paths.finished()));
                    }
                    known.forEach(path -> all.add(delete(path)));
                    return all;
                })
                .thenCompose(store::commit);
    }

    private static Operation delete(String path) {
        return new Operation.Delete(path, Operation.ANY);
    }

    CompletableFuture<Void> open(Action.Open open, long epoch) {
        return store.commit(List.of(
                fence(epoch),
                new Operation.Set(paths.next(), number(open.number() + 1), open.nextVersion()),
                create(paths.inflight(open.number()), Json.bytes(Inflight.begun(open.number())))));
    }

    CompletableFuture<Void> recordVotes(Action.RecordVotes votes, long epoch) {
        String path = paths.inflight(votes.inflight().number());
        return store.commit(
                List.of(fence(epoch), new Operation.Set(path, Json.bytes(votes.inflight()), votes.version())));
    }

    CompletableFuture<Void> commit(Action.Commit commit, long epoch) {
        long number = commit.entry().number();
        return store.commit(List.of(
                fence(epoch),
                create(paths.committed(number), Json.bytes(commit.entry())),
                new Operation.Set(paths.latest(), number(number), commit.latestVersion()),
                new Operation.Delete(paths.inflight(number), commit.inflightVersion())));
    }

    CompletableFuture<Void> drop(Action.Drop drop, long epoch) {
        return store.commit(List.of(fence(epoch), new Operation.Delete(paths.inflight(drop.number()), drop.version())));
    }

    CompletableFuture<Void> forget(long committed, long epoch) {
        return store.commit(List.of(fence(epoch), new Operation.Delete(paths.committed(committed), Operation.ANY)));
    }

    /** Keeps a record, and the {@link DrainRecord#KEPT} newest of the others. */
    CompletableFuture<Void> explain(DrainRecord record, long epoch) {
        return explainedNumbers().thenCompose(kept -> {
            List<Operation> all = new ArrayList<>();
            all.add(fence(epoch));
            while (kept.size() >= DrainRecord.KEPT) {
                all.add(new Operation.Delete(paths.drain(kept.removeFirst()), Operation.ANY));
            }
            all.add(create(paths.drain(record.number()), Json.bytes(record)));
            return store.commit(all);
        });
    }

    private CompletableFuture<Map<Inflight, Integer>> inflight() {
        return store.children(paths.allInflight()).thenCompose(names -> {
            CompletableFuture<Map<Inflight, Integer>> all = CompletableFuture.completedFuture(new HashMap<>());
            for (String name : names) {
                all = all.thenCombine(store.read(paths.allInflight() + "/" + name), JobStore::with);
            }
            return all;
        });
    }

    private static Map<Inflight, Integer> with(Map<Inflight, Integer> all, Optional<Versioned> read) {
        read.ifPresent(node -> all.put(Json.read(node.data(), Inflight.class), node.version()));
        return all;
    }

    private CompletableFuture<Long> epoch() {
        return store.read(Leadership.epochPath(Role.COORDINATOR))
                .thenApply(read -> read.map(node -> (long) node.version()).orElse(0L));
    }

    private static Operation fence(long epoch) {
        return new Leadership.Leader(epoch).fence(Role.COORDINATOR);
    }

    private static Operation create(String path, byte[] data) {
        return new Operation.Create(path, data, false);
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(US_ASCII);
    }

    private record Positions(Optional<Versioned> next, Optional<Versioned> latest) {
        Versioned nextNode() {
            return next.orElseThrow(() -> new CoordinationException.NoSuchNode("next"));
        }

        Versioned latestNode() {
            return latest.orElseThrow(() -> new CoordinationException.NoSuchNode("latest"));
        }
    }

    private record Contents(Positions positions, Map<Inflight, Integer> inflight, SortedSet<Long> committed) {
        DurableState state(boolean finished, long epoch) {
            Map<Long, Integer> versions = new HashMap<>();
            inflight.forEach((record, version) -> versions.put(record.number(), version));
            return new DurableState(
                    epoch,
                    Long.parseLong(new String(positions.nextNode().data(), US_ASCII)),
                    positions.nextNode().version(),
                    positions.latestNode().version(),
                    new ArrayList<>(inflight.keySet()),
                    versions,
                    committed,
                    finished);
        }
    }
}
