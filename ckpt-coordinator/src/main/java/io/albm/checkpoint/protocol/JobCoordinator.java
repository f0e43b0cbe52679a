// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.CheckpointStrategy;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.json.Json;
import io.albm.core.time.MonotonicClock;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Turns the {@link CheckpointProtocol} of one job: does its actions over the network, the coordination store and the
 * striped store, and feeds the outcomes back. Everything runs on the loop that it was given, so a simulation can be
 * that loop; it never blocks. At most one command and one step are on their way at a time.
 */
public final class JobCoordinator {
    private final JobSpec spec;
    private final long epoch;
    private final JobStore store;
    private final LeaderTransactions led;
    private final CheckpointFiles files;
    private final SupervisorLink link;
    private final MonotonicClock clock;
    private final InstantSource wallClock;
    private final Executor loop;
    private final Consumer<JobEvent> events;
    private final CheckpointProtocol protocol;
    private final Orphans orphans;
    private TcpSegments segments = TcpSegments.NONE;
    private boolean telling;
    /** The last one, until it is confirmed: what has its digest need not be made from JSON again. */
    private Optional<Manifest> published = Optional.empty();

    /** @param wallClock says when a checkpoint was taken, to people; decisions go by {@code clock} */
    public JobCoordinator(
            JobSpec spec,
            long epoch,
            CheckpointStrategy strategy,
            JobStore store,
            CheckpointFiles files,
            SupervisorLink link,
            MonotonicClock clock,
            InstantSource wallClock,
            Executor loop,
            Consumer<JobEvent> events) {
        this.spec = spec;
        this.epoch = epoch;
        this.store = store;
        this.led = store.ledBy(epoch);
        this.files = files;
        this.link = link;
        this.clock = clock;
        this.wallClock = wallClock;
        this.loop = loop;
        this.events = events;
        this.orphans = new Orphans(store, files);
        this.protocol = new CheckpointProtocol(spec, strategy, epoch, clock.nanoTime());
    }

    /** What this job was started with. */
    public JobSpec spec() {
        return spec;
    }

    /** Where the protocol is. On the loop only. */
    public Phase phase() {
        return protocol.phase();
    }

    /** Lets time pass. On the loop only, every 50 ms or so. */
    public void tick(Network network) {
        feed(new Event.Tick(network, wallClock.instant()));
    }

    /** TCP segments of the host that stores the ranks' states, as of its last answer. On the loop only. */
    public TcpSegments segments() {
        return segments;
    }

    /** Asks for a checkpoint as soon as the minimum pause allows. On the loop only. */
    public void trigger() {
        feed(new Event.Triggered());
    }

    /** Asks for one more checkpoint, after which the job ends; or no longer. On the loop only. */
    public void halt(boolean wanted) {
        feed(new Event.Halting(wanted));
    }

    private void feed(Event event) {
        protocol.on(event, clock.nanoTime()).forEach(this::perform);
    }

    private void perform(Action action) {
        switch (action) {
            case Action.Tell tell -> tell(tell.command());
            case Action.ReadState step -> onLoop(step, store.read().thenApply(Event.Read::new));
            case Action.Open step -> run(step, led.open(step));
            case Action.RecordVotes step -> run(step, led.recordVotes(step));
            case Action.Publish step -> {
                published = Optional.of(step.manifest());
                onLoop(step, publish(step));
            }
            case Action.Commit step -> run(step, led.commit(step));
            case Action.Drop step -> run(step, led.drop(step));
            case Action.Collect step -> run(step, collect(step));
            case Action.Sweep step -> run(step, sweep());
            case Action.Explain explain -> explain(explain.record());
            case Action.Announce announce -> events.accept(announce.event());
            case Action.StepDown down -> {}
        }
    }

    /** A command says a state, so one that comes while another is unanswered can be left out: the next tick says it. */
    private void tell(Command command) {
        if (telling) {
            return;
        }
        telling = true;
        var _ = link.tell(command)
                .whenComplete((answer, failure) -> loop.execute(() -> {
                    telling = false;
                    if (failure == null) {
                        if (answer instanceof Answer.Status status) {
                            segments = status.segments();
                        }
                        feed(new Event.Answered(command, answer));
                    }
                }));
    }

    private void explain(DrainRecord record) {
        events.accept(new JobEvent.CheckpointExplained(record));
        var _ = led.explain(record).exceptionally(failure -> {
            loop.execute(() -> events.accept(new JobEvent.ExplanationLost(record.number(), String.valueOf(failure))));
            return null;
        });
    }

    private void run(Action.Step step, CompletableFuture<Void> work) {
        onLoop(step, work.thenApply(done -> new Event.Done(step)));
    }

    /** Hops to the loop before feeding, so that a bug in the state machine reaches the loop's handler, not a future. */
    private void onLoop(Action.Step step, CompletableFuture<? extends Event> work) {
        var _ = work.whenComplete((event, failure) ->
                loop.execute(() -> feed(failure == null ? event : new Event.NotDone(step, String.valueOf(failure)))));
    }

    private CompletableFuture<Event> publish(Action.Publish step) {
        Manifest manifest = step.manifest();
        byte[] content = Json.bytes(manifest);
        String path = store.paths().manifest(manifest.number(), epoch);
        return areWhole(manifest)
                .thenCompose(allWhole -> allWhole
                        ? files.write(path, content)
                                .thenApply(done -> new Event.Published(step, path, Digests.sha256(content)))
                        : CompletableFuture.completedFuture(
                                new Event.Rejected(step, "an index or a pack is missing or has another length")));
    }

    /** One listing for each checkpoint that has some of the files, not a question for each file. */
    private CompletableFuture<Boolean> areWhole(Manifest manifest) {
        List<Pack> packs = manifest.packs();
        CompletableFuture<Map<Long, Map<String, Long>>> all = CompletableFuture.completedFuture(new HashMap<>());
        for (long listing : checkpointsOf(manifest.number(), packs)) {
            all = all.thenCombine(files.list(store.paths().files(listing)), (listed, lengths) -> {
                listed.put(listing, lengths);
                return listed;
            });
        }
        long number = manifest.number();
        return all.thenApply(listed -> manifest.units().stream()
                        .allMatch(unit -> hasLength(listed, number, unit.path(), unit.indexBytes()))
                && packs.stream()
                        .allMatch(pack -> hasLength(
                                listed, pack.id().checkpoint(), store.paths().pack(pack.id()), pack.bytes())));
    }

    private static Set<Long> checkpointsOf(long number, List<Pack> packs) {
        Set<Long> numbers = new HashSet<>(Set.of(number));
        packs.forEach(pack -> numbers.add(pack.id().checkpoint()));
        return numbers;
    }

    private static boolean hasLength(Map<Long, Map<String, Long>> listed, long number, String path, long bytes) {
        return listed.getOrDefault(number, Map.of()).getOrDefault(path, -1L) == bytes;
    }

    private CompletableFuture<Void> collect(Action.Collect step) {
        Optional<Manifest> own = published.filter(manifest -> isOf(step.newest(), manifest));
        published = Optional.empty();
        CompletableFuture<Void> all =
                step.victims().isEmpty() ? CompletableFuture.completedFuture(null) : confirm(step.newest(), own);
        for (long victim : step.victims()) {
            all = all.thenCompose(done -> forget(victim, step.marksVersion()));
        }
        return all.thenCompose(done -> sweep());
    }

    /** That it is gone already, or that the marks have changed, is no reason not to sweep; who was deposed sweeps nothing. */
    private CompletableFuture<Void> forget(long victim, int marksVersion) {
        return JobStore.unless(
                CoordinationException.VersionConflict.class,
                JobStore.unless(CoordinationException.NoSuchNode.class, led.forget(victim, marksVersion)));
    }

    /** A number has one manifest of each leader. */
    private boolean isOf(Committed entry, Manifest manifest) {
        return entry.number() == manifest.number() && entry.epoch() == epoch;
    }

    /** Looks at the newest once more before an older one goes: storage may have been lost since the commit. */
    private CompletableFuture<Void> confirm(Committed newest, Optional<Manifest> own) {
        return JobStore.manifestContent(newest, files)
                .thenApply(content -> own.orElseGet(() -> Json.read(content, Manifest.class)))
                .thenCompose(this::areWhole)
                .thenAccept(whole -> {
                    if (!whole) {
                        throw new LostDataException("an index or a pack is missing or has another length");
                    }
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        loop.execute(() -> events.accept(
                                new JobEvent.NothingRetired(newest.number(), String.valueOf(failure.getMessage()))));
                    }
                });
    }

    private CompletableFuture<Void> sweep() {
        return files.list(store.paths().files())
                .thenCombine(store.read(), this::orphans)
                .thenCompose(Function.identity())
                .thenCompose(this::deleteAll);
    }

    /** None to a leader that was deposed before it asked. */
    private CompletableFuture<List<String>> orphans(Map<String, Long> listed, DurableState state) {
        return state.epoch() == epoch
                ? orphans.among(listed.keySet(), state)
                : CompletableFuture.completedFuture(List.of());
    }

    private CompletableFuture<Void> deleteAll(Collection<String> paths) {
        return CompletableFuture.allOf(paths.stream().map(files::delete).toArray(CompletableFuture[]::new));
    }
}
