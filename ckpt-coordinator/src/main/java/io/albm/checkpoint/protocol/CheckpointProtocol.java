// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.protocol.Action.Step;
import io.albm.checkpoint.strategy.CheckpointStrategy;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.RankSizes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's side of the checkpoint protocol for one job, as a state machine without I/O: events in, actions
 * out, the time as an argument.
 *
 * <p><b>What it promises.</b> A checkpoint is complete or it does not exist: the only step that makes one visible is one
 * transaction, which is prepared only from the stored units of <em>all</em> ranks of the same step. Two coordinators
 * never both commit: every transaction checks the epoch that the leader was elected with. What is committed stays until
 * newer ones are.
 *
 * <p><b>How it handles doubt.</b> A step either is known to be done, or the machine reads the durable state and goes on
 * from there ({@link Phase.Recover}). A new leader begins with the very same reading, so taking over and resolving a
 * lost reply are one piece of code. Numbers come from the store and are never used twice; a number that has left
 * {@code inflight} without being committed never comes back. That is why files of such a number can be deleted without
 * a lock, even by a leader that was paused and deposed meanwhile.
 *
 * <p><b>Who may touch it.</b> One thread. All events of one checkpoint together cost O(ranks), and a tick O(1): a rank's report
 * is heard once, and a rank is told to write until that was answered.
 *
 * <p>Source: P3 (stripe groups, rollback to the last complete checkpoint); two-phase structure as in coordinated
 * checkpointing by Chandy and Lamport's successors, with a barrier at a common step instead of channel markers.
 */
public final class CheckpointProtocol {
    /** How often a supervisor hears of an idle coordinator. */
    private static final long OBSERVE_NANOS = Duration.ofMillis(250).toNanos();

    private final JobSpec spec;
    private final CheckpointStrategy strategy;
    private final Retention retention;
    private final long epoch;
    private final List<Action> actions = new ArrayList<>();

    private Phase phase;
    private Optional<DurableState> known = Optional.empty();
    private @Nullable Step pending;
    private final PhaseTimes times = new PhaseTimes();
    private final CheckpointRatio time;
    private Optional<DrainHistory> history = Optional.empty();
    private Gathered gathered = new Gathered();
    /** Ranks that may write and of which no command was answered yet that said so. */
    private final Set<Integer> untold = new LinkedHashSet<>();

    private Network network = Network.UNKNOWN;
    private Instant wallClock = Instant.EPOCH;
    private boolean triggered;
    /** The base of the checkpoint that the storage confirmed last too little of: its packs may be what is missing. */
    private long rejectedBase;

    private boolean halting;
    private long lastBegin;
    private long lastObserved;

    /**
     * Begins by reading what is durable.
     *
     * @param epoch of this coordinator's leadership
     * @param now nanoseconds of a monotonic clock, as in all events
     */
    public CheckpointProtocol(JobSpec spec, CheckpointStrategy strategy, long epoch, long now) {
        this.spec = spec;
        this.strategy = strategy;
        this.retention = new Retention(spec.keep(), spec.keepEvery());
        this.epoch = epoch;
        this.lastBegin = now;
        this.lastObserved = now - OBSERVE_NANOS;
        this.time = new CheckpointRatio(now);
        this.phase = new Phase.Recover(new Phase.Idle(now + nanos(spec.minimumPauseMillis())));
    }

    /** Where it is now. */
    public Phase phase() {
        return phase;
    }

    /** Takes one event and says what is to be done. */
    public List<Action> on(Event event, long now) {
        actions.clear();
        switch (event) {
            case Event.Tick tick -> {
                network = tick.network();
                wallClock = tick.wallClock();
                tick(now);
            }
            case Event.Triggered t -> triggered = true;
            case Event.Halting wanted -> halting = wanted.wanted();
            case Event.Answered answered -> answered(answered, now);
            case Event.Done done -> done(done.step(), now);
            case Event.Read read -> read(read.state(), now);
            case Event.Published published -> published(published, now);
            case Event.NotDone notDone -> notDone(notDone);
            case Event.Rejected rejected -> rejected(rejected);
        }
        times.at(phase, now);
        return List.copyOf(actions);
    }

    private void tick(long now) {
        switch (phase) {
            case Phase.Recover recover -> {
                if (pending == null) {
                    begin(new Action.ReadState());
                }
            }
            case Phase.Idle idle -> observe(now);
            case Phase.Prepare prepare -> {
                gather(prepare);
                abortAfter(prepare.since(), spec.barrierMillis(), prepare.number(), "the ranks did not meet", now);
            }
            case Phase.Snapshot snapshot -> {
                save(snapshot);
                abortAfter(snapshot.since(), spec.barrierMillis(), snapshot.number(), "the ranks did not save", now);
            }
            case Phase.LocalDone done -> keepAlive(done.inflight().number());
            case Phase.Drain drain -> drain(drain, now);
            case Phase.Verify verify -> {
                keepAlive(verify.inflight().number());
                long number = verify.inflight().number();
                abortAfter(verify.since(), spec.drainMillis(), number, "storage did not confirm", now);
            }
            case Phase.Commit commit -> keepAlive(commit.entry().number());
            case Phase.Open open -> {}
            case Phase.Collect collect -> {}
            case Phase.Abort abort -> {}
            case Phase.Deposed deposed -> {}
            case Phase.Finished finished -> {}
        }
    }

    private void observe(long now) {
        if (now - lastObserved >= OBSERVE_NANOS) {
            lastObserved = now;
            tell(new Command.Observe(epoch, state().latest()));
        }
    }

    private void keepAlive(long number) {
        tell(new Command.Drain(epoch, number, 0, List.of(), gathered.heard()));
    }

    private void gather(Phase.Prepare prepare) {
        tell(new Command.Prepare(epoch, prepare.number(), gathered.heard()));
    }

    private void save(Phase.Snapshot snapshot) {
        tell(new Command.Save(epoch, snapshot.number(), snapshot.step(), snapshot.last(), gathered.heard()));
    }

    private void drain(Phase.Drain drain, long now) {
        Inflight inflight = drain.inflight();
        untold.addAll(drain.plan().next(network));
        history.ifPresent(known -> known.sample(drain.plan().writing(), gathered.storedBytes(), network, now));
        tell(new Command.Drain(epoch, inflight.number(), inflight.base(), List.copyOf(untold), gathered.heard()));
        abortAfter(drain.movedAt(), spec.drainMillis(), inflight.number(), "no more was stored", now);
    }

    private void answered(Event.Answered answered, long now) {
        switch (answered.answer()) {
            case Answer.Fenced fenced -> depose(fenced.highestEpoch());
            case Answer.Status status -> progress(answered.command(), status, now);
        }
    }

    private void progress(Command command, Answer.Status status, long now) {
        switch (phase) {
            case Phase.Idle idle -> openIfDue(idle, status, now);
            case Phase.Prepare prepare -> {
                if (status.checkpoint() == prepare.number() && isAlive(prepare.number(), status)) {
                    begun(prepare, status.progress(), now);
                }
            }
            case Phase.Snapshot snapshot -> {
                if (isAlive(snapshot.number(), status)) {
                    saved(snapshot, status.progress(), now);
                }
            }
            case Phase.Drain drain -> {
                if (isAlive(drain.inflight().number(), status)) {
                    if (command instanceof Command.Drain told) {
                        told.writers().forEach(untold::remove);
                    }
                    stored(drain.heard(status.drainProgress(), now), status.progress(), now);
                }
            }
            case Phase.Recover r -> {}
            case Phase.Open r -> {}
            case Phase.LocalDone r -> {}
            case Phase.Verify r -> {}
            case Phase.Commit r -> {}
            case Phase.Collect r -> {}
            case Phase.Abort r -> {}
            case Phase.Deposed r -> {}
            case Phase.Finished r -> {}
        }
    }

    private void openIfDue(Phase.Idle idle, Answer.Status status, long now) {
        boolean due =
                triggered || halting || now - lastBegin >= nanos(spec.interval().millis(state().stallsMillis()));
        if (due && now - idle.notBefore() >= 0 && status.ready()) {
            triggered = false;
            lastBegin = now;
            long number = state().next();
            long newest = Chains.baseOf(number, state().committed());
            long base = newest == rejectedBase ? 0 : newest;
            phase = new Phase.Open(number, base, now);
            begin(new Action.Open(number, base, state().nextVersion()));
        }
    }

    /** A supervisor that says it has another checkpoint in hand has lost this one: it was started anew. */
    private boolean isAlive(long number, Answer.Status status) {
        if (status.checkpoint() != number) {
            abort(number, "the supervisor no longer knows it");
        } else if (status.failure() != null) {
            abort(number, status.failure());
        }
        return !(phase instanceof Phase.Abort);
    }

    private void begun(Phase.Prepare prepare, Answer.Progress progress, long now) {
        gathered.take(progress);
        if (gathered.begun() == spec.ranks()) {
            Phase.Snapshot snapshot = new Phase.Snapshot(prepare.number(), gathered.lastBegun() + 1, halting, now);
            phase = snapshot;
            save(snapshot);
        } else if (progress.more()) {
            gather(prepare);
        }
    }

    private void saved(Phase.Snapshot snapshot, Answer.Progress progress, long now) {
        gathered.take(progress);
        if (gathered.saved().size() == spec.ranks()) {
            Inflight voted = new Inflight(
                    snapshot.number(),
                    state().baseOf(snapshot.number()),
                    snapshot.step(),
                    gathered.saved(),
                    wallClock,
                    millis(now - lastBegin));
            phase = new Phase.LocalDone(voted, now);
            begin(new Action.RecordVotes(voted, versionOf(snapshot.number())));
        } else if (progress.more()) {
            save(snapshot);
        }
    }

    private void stored(Phase.Drain drain, Answer.Progress progress, long now) {
        List<StoredUnit> fresh = gathered.take(progress);
        for (StoredUnit unit : fresh) {
            LocalCopy vote = drain.inflight().votes().get(unit.rank());
            if (vote == null || vote.size() != unit.size()) {
                abort(
                        drain.inflight().number(),
                        "rank " + unit.rank() + " stored " + unit.size() + " bytes, not what it saved");
                return;
            }
            drain.plan().stored(unit.rank());
        }
        if (gathered.stored().size() < spec.ranks()) {
            Phase.Drain goesOn = fresh.isEmpty() ? drain : drain.stored(now);
            phase = goesOn;
            if (!fresh.isEmpty() || progress.more()) {
                drain(goesOn, now);
            }
            return;
        }
        Inflight inflight = drain.inflight();
        Manifest manifest =
                Manifest.of(spec.name(), inflight, epoch, drain.plan().groupSize(), gathered.stored());
        phase = new Phase.Verify(inflight, drain.version(), manifest, millis(now - drain.since()), now);
        begin(new Action.Publish(manifest));
    }

    private void published(Event.Published published, long now) {
        if (phase instanceof Phase.Verify verify && isAwaited(published.step())) {
            Manifest manifest = verify.manifest();
            Committed entry = new Committed(
                    manifest.number(),
                    published.path(),
                    published.sha256(),
                    manifest.step(),
                    epoch,
                    manifest.bytes(),
                    manifest.newBytes(),
                    manifest.storedBytes(),
                    manifest.groupSize(),
                    millis(now - lastBegin),
                    new CheckpointTimes(
                            verify.inflight().savedAt(),
                            verify.inflight().stallMillis(),
                            verify.drainMillis(),
                            millis(now - verify.since())));
            phase = new Phase.Commit(entry, verify.version());
            begin(new Action.Commit(entry, verify.version(), state().latestVersion()));
        }
    }

    private void rejected(Event.Rejected rejected) {
        if (phase instanceof Phase.Verify verify && isAwaited(rejected.step())) {
            rejectedBase = verify.inflight().base();
            abort(verify.inflight().number(), rejected.reason());
        }
    }

    private void done(Step step, long now) {
        if (!isAwaited(step)) {
            return;
        }
        switch (phase) {
            case Phase.Open open -> {
                remember(Inflight.begun(open.number(), open.base()), 0);
                prepare(open.number(), now);
            }
            case Phase.LocalDone local -> saved(local, now);
            case Phase.Commit commit -> committed(commit.entry(), now);
            case Phase.Abort abort -> aborted(abort, now);
            case Phase.Collect collect -> reread(rest(now));
            case Phase.Recover r -> {}
            case Phase.Idle r -> {}
            case Phase.Prepare r -> {}
            case Phase.Snapshot r -> {}
            case Phase.Drain r -> {}
            case Phase.Verify r -> {}
            case Phase.Deposed r -> {}
            case Phase.Finished r -> {}
        }
    }

    private void prepare(long number, long now) {
        announce(new JobEvent.CheckpointBegun(number));
        gathered = new Gathered();
        Phase.Prepare prepare = new Phase.Prepare(number, now);
        phase = prepare;
        gather(prepare);
    }

    private void saved(Phase.LocalDone local, long now) {
        Inflight inflight = local.inflight();
        time.stalled(local.since() - lastBegin);
        announce(new JobEvent.CheckpointSaved(inflight.number(), inflight.step(), inflight.stallMillis()));
        startDrain(inflight, versionOf(inflight.number()) + 1, now);
    }

    /** The group size is chosen here: the bandwidth of now is what the drain will have. */
    private void startDrain(Inflight inflight, int version, long now) {
        remember(inflight, version);
        Map<Integer, Long> bytes = new TreeMap<>();
        inflight.votes().forEach((rank, vote) -> bytes.put(rank, vote.size()));
        RankSizes sizes = new RankSizes(inflight.number(), bytes);
        Phase.Drain drain = new Phase.Drain(inflight, version, strategy.plan(sizes, network), now, now, 0);
        untold.clear();
        history = Optional.of(new DrainHistory(spec.strategy(), epoch, inflight, drain.plan(), network, now));
        phase = drain;
        drain(drain, now);
    }

    private void committed(Committed entry, long now) {
        explain(entry.number(), "", now);
        announce(new JobEvent.CheckpointCommitted(entry));
        SortedSet<Long> all = new TreeSet<>(state().committed());
        all.add(entry.number());
        phase = new Phase.Collect();
        tell(new Command.Observe(epoch, entry.number()));
        begin(new Action.Collect(entry, retention.victims(all, state().marks()), state().marksVersion()));
    }

    private void aborted(Phase.Abort abort, long now) {
        announceAbort(abort, now);
        sweep();
    }

    /**
     * No commit may come for long, and what was stored late of checkpoints that were given up would fill the storage, which may
     * be why. Ranks that wait for a checkpoint must not wait for the storage, too, so the supervisor hears first.
     */
    private void sweep() {
        phase = new Phase.Collect();
        tell(new Command.Observe(epoch, state().latest()));
        begin(new Action.Sweep());
    }

    private void announceAbort(Phase.Abort abort, long now) {
        explain(abort.number(), abort.reason(), now);
        announce(new JobEvent.CheckpointAborted(abort.number(), abort.reason()));
    }

    /** The checkpoint has ended: what is known of its drain, if it came that far, is kept. */
    private void explain(long number, String failure, long now) {
        time.inFlight(now - lastBegin);
        times.at(phase, now);
        history.filter(known -> known.number() == number)
                .map(known -> known.record(failure, times.millis(now), time, network, now))
                .ifPresent(record -> actions.add(new Action.Explain(record)));
        history = Optional.empty();
        gathered = new Gathered();
    }

    /** The minimum pause holds after a failure too: a job that cannot be saved must not be stopped again and again. */
    private Phase.Idle rest(long now) {
        return new Phase.Idle(now + nanos(spec.minimumPauseMillis()));
    }

    private void abortAfter(long since, long limitMillis, long number, String what, long now) {
        if (now - since > nanos(limitMillis)) {
            abort(number, what + " within " + limitMillis + " ms");
        }
    }

    private void abort(long number, String reason) {
        phase = new Phase.Abort(number, reason);
        begin(new Action.Drop(number, versionOf(number), reason));
    }

    private void notDone(Event.NotDone notDone) {
        if (isAwaited(notDone.step()) && !(phase instanceof Phase.Recover)) {
            phase = new Phase.Recover(phase);
        }
    }

    private void reread(Phase before) {
        phase = new Phase.Recover(before);
        begin(new Action.ReadState());
    }

    private void depose(long byEpoch) {
        if (!(phase instanceof Phase.Deposed)) {
            phase = new Phase.Deposed(byEpoch);
            actions.add(new Action.StepDown(byEpoch));
        }
    }

    /** Goes on from what is durable: after a take-over, after a step in doubt, and after each checkpoint. */
    private void read(DurableState state, long now) {
        pending = null;
        if (!(phase instanceof Phase.Recover recover)) {
            return;
        }
        if (state.epoch() != epoch) {
            depose(state.epoch());
            return;
        }
        boolean takesOver = known.isEmpty();
        known = Optional.of(state);
        if (recover.before() instanceof Phase.Commit commit
                && state.committed().contains(commit.entry().number())) {
            committed(commit.entry(), now);
        } else if (!state.inflight().isEmpty()) {
            carryOn(recover.before(), state.inflight().getFirst(), now);
        } else if (state.finished()) {
            phase = new Phase.Finished();
        } else if (recover.before() instanceof Phase.Abort abort) {
            announceAbort(abort, now);
            sweep();
        } else if (takesOver) {
            sweep();
        } else if (recover.before() instanceof Phase.Open) {
            openAgain(now);
        } else {
            phase = recover.before() instanceof Phase.Idle idle ? idle : rest(now);
        }
    }

    /** What was believed of the records was no longer so, as when its base was removed. No rank was held up: no pause is due. */
    private void openAgain(long now) {
        triggered = true;
        phase = new Phase.Idle(now);
    }

    /** Something is in flight. What was wanted of it, if it is the one in hand, else what a new leader does with it. */
    private void carryOn(Phase before, Inflight inflight, long now) {
        long number = inflight.number();
        int version = versionOf(number);
        switch (before) {
            case Phase.Open open when open.number() == number -> prepare(number, now);
            case Phase.LocalDone local
            when local.inflight().number() == number && !inflight.voted() -> {
                phase = local;
                begin(new Action.RecordVotes(local.inflight(), version));
            }
            case Phase.Verify verify
            when verify.inflight().number() == number -> {
                phase = verify;
                begin(new Action.Publish(verify.manifest()));
            }
            case Phase.Commit commit
            when commit.entry().number() == number -> {
                phase = new Phase.Commit(commit.entry(), version);
                begin(new Action.Commit(commit.entry(), version, state().latestVersion()));
            }
            case Phase.Abort abort when abort.number() == number -> abort(number, abort.reason());
            default -> takeOver(inflight, now);
        }
    }

    private void takeOver(Inflight inflight, long now) {
        if (inflight.voted()) {
            announce(new JobEvent.CheckpointResumed(inflight.number()));
            gathered = new Gathered();
            startDrain(inflight, versionOf(inflight.number()), now);
        } else {
            abort(inflight.number(), "its coordinator was lost before all ranks had saved");
        }
    }

    /** Late answers of steps that were given up are of no interest. */
    private boolean isAwaited(Step step) {
        boolean awaited = step.equals(pending);
        if (awaited) {
            pending = null;
        }
        return awaited;
    }

    private void begin(Step step) {
        pending = step;
        actions.add(step);
    }

    private void tell(Command command) {
        actions.add(new Action.Tell(command));
    }

    private void announce(JobEvent event) {
        actions.add(new Action.Announce(event));
    }

    private DurableState state() {
        return known.orElseThrow(() -> new IllegalStateException("nothing is known before the first reading"));
    }

    private int versionOf(long number) {
        return state().versionOf(number);
    }

    private void remember(Inflight inflight, int version) {
        known = Optional.of(state().with(inflight, version));
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }
}
