// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A job's records in the coordination store: what all may read, and what supervisors and operators change. What only a
 * coordinator changes are {@link LeaderTransactions}. Thread-safe.
 */
public final class JobStore {
    private final CoordinationStore store;
    private final JobPaths paths;
    private final RunCounter runs;

    public JobStore(CoordinationStore store, String job) {
        this.store = store;
        this.paths = new JobPaths(job);
        this.runs = new RunCounter(store, paths);
    }

    public JobPaths paths() {
        return paths;
    }

    /** What the coordinator changes that leads with this epoch. */
    LeaderTransactions ledBy(long epoch) {
        return new LeaderTransactions(this, store, epoch);
    }

    /** Makes the job's records. Fails with {@link CoordinationException.NodeExists} if the job is known already. */
    public CompletableFuture<Void> create(JobSpec spec) {
        return store.commit(List.of(
                create(paths.spec(), Json.bytes(spec)),
                create(paths.next(), number(1)),
                create(paths.latest(), number(0)),
                create(paths.trigger(), new byte[0]),
                create(paths.marks(), Json.bytes(Marks.NONE)),
                create(paths.verified(), Json.bytes(Map.of())),
                create(paths.aborted(), Json.bytes(Aborted.NONE)),
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
                .thenCombine(store.read(paths.marks()), Positions::with)
                .thenCompose(positions -> inflight()
                        .thenCombine(
                                committedNumbers(),
                                (inflight, committed) -> new Contents(positions, inflight, committed)))
                .thenCompose(contents -> stalls(contents.committed())
                        .thenCombine(isFinished(), (stalls, finished) -> contents.with(stalls, finished)))
                .thenCompose(status -> epoch().thenApply(status::state));
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

    /** The newest checkpoint that has begun and is not complete; empty if there is none. */
    public CompletableFuture<Optional<Inflight>> newestInflight() {
        return inflight().thenApply(all -> all.keySet().stream().max(Comparator.comparingLong(Inflight::number)));
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

    /**
     * What belongs to a complete checkpoint. Fails with {@link LostDataException} if it was retired, or if its manifest is
     * not the one that was committed.
     */
    public CompletableFuture<Manifest> manifest(long number, CheckpointFiles files) {
        return committed(number)
                .thenCompose(read -> read.map(entry -> manifest(entry, files))
                        .orElseGet(() -> CompletableFuture.failedFuture(
                                new LostDataException("checkpoint " + number + " was retired"))));
    }

    /** What belongs to it. Fails with {@link LostDataException} if its manifest is not the one that was committed. */
    public static CompletableFuture<Manifest> manifest(Committed entry, CheckpointFiles files) {
        return manifestContent(entry, files).thenApply(content -> Json.read(content, Manifest.class));
    }

    /** Its manifest as it is stored; fails as {@link #manifest(Committed, CheckpointFiles)} does. */
    static CompletableFuture<byte[]> manifestContent(Committed entry, CheckpointFiles files) {
        return files.read(entry.manifest()).thenApply(content -> {
            if (!Digests.sha256(content).equals(entry.manifestSha256())) {
                throw new LostDataException("manifest " + entry.manifest() + " is not the one that was committed");
            }
            return content;
        });
    }

    /** True once the job ended well. */
    public CompletableFuture<Boolean> isFinished() {
        return store.read(paths.finished()).thenApply(Optional::isPresent);
    }

    /**
     * Marks the job's good end, durably: it is never restarted. Fails with {@link CoordinationException.VersionConflict} if a
     * supervisor has registered after this run's, and with that or {@link CoordinationException.NoSuchNode} if the job was removed.
     */
    public CompletableFuture<Void> finish(long run) {
        return store.commit(List.of(
                new Operation.Check(paths.spec(), Operation.ANY),
                runs.check(run),
                create(paths.finished(), new byte[0])));
    }

    /**
     * Removes all records of the job, in one transaction: a coordinator that still leads it finds nothing to commit to. It
     * counts as a run, so that a supervisor that was cut off does not come back to a later job of that name. Fails with {@link
     * CoordinationException.NodeExists} or {@link CoordinationException.VersionConflict} if a supervisor came meanwhile.
     */
    public CompletableFuture<Void> remove() {
        List<String> known = List.of(
                paths.next(),
                paths.latest(),
                paths.trigger(),
                paths.marks(),
                paths.verified(),
                paths.aborted(),
                paths.allInflight(),
                paths.allCommitted(),
                paths.spec());
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
                .thenCombine(runs.next().thenApply(RunCounter.Next::count), JobStore::joined)
                .thenCombine(optional(paths.hosts()), JobStore::joined)
                .thenCombine(isFinished(), (all, finished) -> {
                    if (finished) {
                        all.add(delete(paths.finished()));
                    }
                    known.forEach(path -> all.add(delete(path)));
                    return all;
                })
                .thenCombine(isHalting(), (all, halting) -> {
                    if (halting) {
                        all.addFirst(delete(paths.halt()));
                    }
                    return all;
                })
                .thenCompose(store::commit);
    }

    private CompletableFuture<List<Operation>> optional(String path) {
        return store.read(path).thenApply(read -> read.isPresent() ? List.of(delete(path)) : List.of());
    }

    private static List<Operation> joined(List<Operation> all, List<Operation> more) {
        all.addAll(more);
        return all;
    }

    /** The number of the run whose supervisor registered last; 0 if none ever did. */
    public CompletableFuture<Long> run() {
        return runs.last();
    }

    /** Where the ranks of the last run are. */
    public CompletableFuture<RankHosts> placement() {
        return store.read(paths.hosts())
                .thenApply(read -> read.map(node -> Json.read(node.data(), RankHosts.class))
                        .orElse(RankHosts.NONE));
    }

    /**
     * Says where ranks are, before they are started there. Fails with {@link CoordinationException.VersionConflict} if a
     * supervisor has registered after this run's; doing it again does no harm.
     */
    public CompletableFuture<Void> recordPlacement(RankHosts now, long run) {
        return store.read(paths.hosts())
                .thenCompose(read -> store.commit(List.of(
                        runs.check(run),
                        read.isPresent()
                                ? new Operation.Set(paths.hosts(), Json.bytes(now), Operation.ANY)
                                : create(paths.hosts(), Json.bytes(now)))));
    }

    /** Somebody has asked for the end of the job's run. */
    public CompletableFuture<Boolean> isHalting() {
        return store.read(paths.halt()).thenApply(Optional::isPresent);
    }

    /** Asks for one more checkpoint, after which the job ends; that somebody has asked before is no failure. */
    public CompletableFuture<Void> halt() {
        return unless(CoordinationException.NodeExists.class, store.commit(List.of(create(paths.halt(), new byte[0]))));
    }

    /** The request to halt is fulfilled, or void; that there is none is no failure. */
    public CompletableFuture<Void> endHalt() {
        return unless(CoordinationException.NoSuchNode.class, store.commit(List.of(delete(paths.halt()))));
    }

    /** That a change failed for this reason is no failure. */
    static CompletableFuture<Void> unless(
            Class<? extends CoordinationException> harmless, CompletableFuture<Void> change) {
        return change.exceptionallyCompose(failure -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            return harmless.isInstance(cause)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(cause);
        });
    }

    /** The checkpoint that was given up last. */
    public CompletableFuture<Aborted> aborted() {
        return store.read(paths.aborted())
                .thenApply(read ->
                        read.map(node -> Json.read(node.data(), Aborted.class)).orElse(Aborted.NONE));
    }

    /** What operators have said about the job's checkpoints. */
    public CompletableFuture<Marks> marks() {
        return store.read(paths.marks())
                .thenApply(read ->
                        read.map(node -> Json.read(node.data(), Marks.class)).orElse(Marks.NONE));
    }

    /**
     * Keeps a complete checkpoint until it is unpinned: done when that is durable, and no coordinator can retire it any
     * more. Fails with {@link CoordinationException.NoSuchNode} if it is not there, and with {@link
     * CoordinationException.VersionConflict} if other marks were set meanwhile; doing it again does no harm.
     */
    public CompletableFuture<Void> pin(long number) {
        return read().thenCompose(state -> store.commit(List.of(
                new Operation.Check(paths.committed(number), Operation.ANY),
                mark(state, state.marks().pin(number)))));
    }

    /** The contrary of {@link #pin}, for any number. */
    public CompletableFuture<Void> unpin(long number) {
        return read().thenCompose(
                        state -> store.commit(List.of(mark(state, state.marks().unpin(number)))));
    }

    /**
     * Removes the record of one complete checkpoint, for an operator; its files are nobody's then. That it is gone already is
     * no failure. Fails with {@link CoordinationException.VersionConflict} if a checkpoint was committed or marks were set
     * since the reading.
     *
     * @param state by which {@link Removal} had no objection
     */
    public CompletableFuture<Void> remove(long number, DurableState state) {
        SortedSet<Long> rest = new TreeSet<>(state.committed());
        rest.remove(number);
        return unless(
                CoordinationException.NoSuchNode.class,
                store.commit(List.of(
                        delete(paths.committed(number)),
                        new Operation.Check(paths.next(), state.nextVersion()),
                        new Operation.Set(
                                paths.latest(), number(rest.isEmpty() ? 0 : rest.last()), state.latestVersion()),
                        mark(state, state.marks().unpin(number)))));
    }

    /**
     * Lets the next restart go on from this checkpoint, and none from those that are newer now. Only for who supervises
     * the job. Fails as {@link #pin}.
     */
    public CompletableFuture<Void> goBackTo(long number) {
        return read().thenCompose(state -> store.commit(List.of(
                new Operation.Check(paths.committed(number), Operation.ANY),
                new Operation.Check(paths.next(), state.nextVersion()),
                mark(state, state.marks().goBackTo(number, state.next())))));
    }

    /** What the last whole reading of each complete checkpoint found, where there was one. */
    public CompletableFuture<Map<Long, Verification>> verified() {
        return store.read(paths.verified())
                .thenApply(read -> read.map(JobStore::verifications).orElse(Map.of()));
    }

    /** Remembers what a whole reading found. Fails with {@link CoordinationException.VersionConflict} as {@link #pin}. */
    public CompletableFuture<Void> recordVerified(long number, Verification found) {
        return store.read(paths.verified())
                .thenCombine(committedNumbers(), (read, committed) -> {
                    Versioned node = read.orElseThrow(() -> new CoordinationException.NoSuchNode(paths.verified()));
                    Map<Long, Verification> all = new TreeMap<>(verifications(node));
                    all.put(number, found);
                    all.keySet().retainAll(committed);
                    return new Operation.Set(paths.verified(), Json.bytes(all), node.version());
                })
                .thenCompose(change -> store.commit(List.of(change)));
    }

    private static Map<Long, Verification> verifications(Versioned node) {
        return Json.read(node.data(), new TypeReference<Map<Long, Verification>>() {});
    }

    private Operation mark(DurableState state, Marks marks) {
        return new Operation.Set(paths.marks(), Json.bytes(marks), state.marksVersion());
    }

    private static Operation delete(String path) {
        return new Operation.Delete(path, Operation.ANY);
    }

    /** Of the newest; one that is retired meanwhile is left out. */
    private CompletableFuture<List<Long>> stalls(SortedSet<Long> committed) {
        CompletableFuture<List<Long>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (long number :
                committed.reversed().stream().limit(Interval.MEASURED).toList()) {
            all = all.thenCombine(committed(number), (stalls, read) -> {
                read.ifPresent(entry -> stalls.add(entry.times().stallMillis()));
                return stalls;
            });
        }
        return all;
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

    private static Operation create(String path, byte[] data) {
        return new Operation.Create(path, data, false);
    }

    static byte[] number(long value) {
        return Long.toString(value).getBytes(US_ASCII);
    }

    private record Positions(Optional<Versioned> next, Optional<Versioned> latest, Optional<Versioned> marks) {
        Positions(Optional<Versioned> next, Optional<Versioned> latest) {
            this(next, latest, Optional.empty());
        }

        Positions with(Optional<Versioned> read) {
            return new Positions(next, latest, read);
        }

        Versioned marksNode() {
            return marks.orElseThrow(() -> new CoordinationException.NoSuchNode("marks"));
        }

        Versioned nextNode() {
            return next.orElseThrow(() -> new CoordinationException.NoSuchNode("next"));
        }

        Versioned latestNode() {
            return latest.orElseThrow(() -> new CoordinationException.NoSuchNode("latest"));
        }
    }

    private record Contents(Positions positions, Map<Inflight, Integer> inflight, SortedSet<Long> committed) {
        Status with(List<Long> stalls, boolean finished) {
            return new Status(this, stalls, finished);
        }
    }

    private record Status(Contents contents, List<Long> stalls, boolean finished) {
        DurableState state(long epoch) {
            Positions positions = contents.positions();
            Map<Long, Integer> versions = new HashMap<>();
            contents.inflight().forEach((record, version) -> versions.put(record.number(), version));
            return new DurableState(
                    epoch,
                    Long.parseLong(new String(positions.nextNode().data(), US_ASCII)),
                    positions.nextNode().version(),
                    positions.latestNode().version(),
                    new ArrayList<>(contents.inflight().keySet()),
                    versions,
                    contents.committed(),
                    stalls,
                    Json.read(positions.marksNode().data(), Marks.class),
                    positions.marksNode().version(),
                    finished);
        }
    }
}
