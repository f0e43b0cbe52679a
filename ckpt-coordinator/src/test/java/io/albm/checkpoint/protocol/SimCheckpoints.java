// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.Network;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimCoordinationStore;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNetwork;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Fence;
import io.albm.storage.node.SimIoFault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A job, its supervisor, two coordinators, coordination and striped store in one simulated world, with the invariants of
 * the protocol checked after every event.
 */
final class SimCheckpoints {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);
    private static final String EPOCH = Leadership.epochPath(Role.COORDINATOR);
    private static final byte[] NOTHING = {};

    final Simulation simulation;
    final SimDirectory directory;
    final SimStorage files;
    final SimJob job;
    private final SimStates states;
    private final SimNetwork network;
    private final Mutation mutation;
    private final JobSpec spec =
            new JobSpec("job", 3, new Interval.Fixed(1500), 300, 2000, 8000, "multistriped", 2, 3, 0);
    private final JobPaths paths = new JobPaths("job");
    private final List<Coordinator> coordinators = new ArrayList<>();
    private final Set<Long> everCommitted = new HashSet<>();
    private final Map<String, List<Optional<byte[]>>> judged = new HashMap<>();
    private final Map<Long, Committed> entries = new HashMap<>();
    private final IdentityHashMap<byte[], Manifest> manifests = new IdentityHashMap<>();
    private long lastCommitted;
    private long checkedChanges = -1;
    private final SimNode operator;
    private final JobStore operatorsStore;
    private final SortedSet<Long> pinned = new TreeSet<>();
    private final Set<Long> removedByOperator = new HashSet<>();
    private boolean operating;
    private boolean halting;
    private Coordinator leader;

    /** A world whose storage keeps its contract. */
    SimCheckpoints(long seed, Mutation mutation) {
        this(seed, mutation, (simulation, directory) -> new SimFiles(simulation));
    }

    /** A world on the production striped store. */
    static SimCheckpoints striped(long seed, int parityUnits, SimIoFault fault) {
        return new SimCheckpoints(
                seed,
                new Mutation(),
                (simulation, directory) -> new SimStripedFiles(simulation, directory, parityUnits, fault));
    }

    private SimCheckpoints(long seed, Mutation mutation, BiFunction<Simulation, SimDirectory, SimStorage> storage) {
        this.mutation = mutation;
        simulation = new Simulation(seed);
        directory = new SimDirectory(simulation, SESSION_TIMEOUT);
        network = new SimNetwork(simulation, Duration.ofMillis(1), Duration.ofMillis(20));
        files = storage.apply(simulation, directory);
        states = new SimStates(directory, files, paths);
        job = new SimJob(simulation, directory, spec, files, mutation, () -> halting = false);
        directory.apply(List.of(
                new Operation.Create(EPOCH, NOTHING, false),
                new Operation.Create(paths.spec(), Json.bytes(spec), false),
                new Operation.Create(paths.next(), "1".getBytes(US_ASCII), false),
                new Operation.Create(paths.latest(), "0".getBytes(US_ASCII), false),
                new Operation.Create(paths.marks(), Json.bytes(Marks.NONE), false),
                new Operation.Create(paths.aborted(), Json.bytes(Aborted.NONE), false),
                new Operation.Create(paths.allInflight(), NOTHING, false),
                new Operation.Create(paths.allCommitted(), NOTHING, false)));
        coordinators.add(new Coordinator("coordinator-1"));
        coordinators.add(new Coordinator("coordinator-2"));
        leader = coordinators.getFirst();
        operator = new SimNode(simulation, "operator");
        operatorsStore = new JobStore(directory.connect(operator), spec.name());
        directory.observe(this::judgeCommit);
        simulation.invariant(this::nothingCommittedIsLost);
    }

    /** Commits seen so far. */
    int commits() {
        return everCommitted.size();
    }

    /** Starts everything, lets faults happen for a while, then demands that a checkpoint commits in peace. */
    void run(Duration faultsFor) {
        begin();
        faults().begin(faultsFor);
        simulation.runFor(faultsFor);
        endFaults();
        long before = lastCommitted;
        simulation.runUntil(() -> lastCommitted > before, Duration.ofMinutes(2), "a checkpoint after the last fault");
        int restores = job.restores();
        job.killRank();
        simulation.runUntil(() -> job.restores() > restores, Duration.ofMinutes(2), "a restore after the last fault");
        long sweptFrom = lastCommitted;
        simulation.runUntil(() -> lastCommitted > sweptFrom + 1, Duration.ofMinutes(2), "two more checkpoints");
        simulation.runUntil(this::hasNoOrphans, Duration.ofMinutes(1), "the sweep of orphans");
        simulation.runUntil(files::isClean, Duration.ofMinutes(1), "the repair of the storage");
    }

    void begin() {
        lead(leader);
        job.start();
    }

    /**
     * Loses all coordinators for longer than a supervisor waits for one, just when all ranks have voted.
     *
     * @param meanwhile happens late in that silence
     * @return the checkpoint that was in flight, once its fate is known
     */
    long outliveAllCoordinators(Runnable meanwhile) {
        simulation.runUntil(() -> voted().isPresent(), Duration.ofMinutes(1), "the votes of all");
        long number = voted().orElseThrow();
        crashAllForLong();
        simulation.runFor(SupervisorProtocol.SILENCE.plus(Duration.ofMillis(500)));
        meanwhile.run();
        simulation.runUntil(() -> inflight().isEmpty(), Duration.ofMinutes(1), "the end of checkpoint " + number);
        return number;
    }

    private Optional<Long> voted() {
        return inflight().stream()
                .filter(number -> Json.read(
                                directory
                                        .peek(paths.inflight(number))
                                        .orElseThrow()
                                        .data(),
                                Inflight.class)
                        .voted())
                .findFirst();
    }

    private List<Long> inflight() {
        return directory.peekChildren(paths.allInflight()).stream()
                .map(Long::valueOf)
                .toList();
    }

    private FaultPlan faults() {
        FaultPlan plan = new FaultPlan(simulation, Duration.ofMillis(1500))
                .add(4, "kill a rank", job::killRank)
                .add(2, "kill the supervisor", this::crashSupervisor)
                .add(3, "kill a coordinator", () -> crash(any()))
                .add(1, "kill all coordinators for long", this::crashAllForLong)
                .add(4, "stop a coordinator", () -> stop(any()))
                .add(3, "another leader", () -> lead(any()))
                .add(3, "cut leader and supervisor", () -> cutForAWhile(leader))
                .add(3, "cut a coordinator off the directory", () -> cutDirectory(any().node))
                .add(2, "cut the supervisor off the directory", () -> cutDirectory(job.node()))
                .add(3, "directory connections break", () -> breakCommits(0.5))
                .add(2, "messages get lost", this::loseMessages)
                .add(4, "an operator pins", this::pin)
                .add(1, "an operator unpins", this::unpin)
                .add(1, "an operator halts the job", () -> halting = true);
        files.addFaults(plan, this::expendable);
        return plan;
    }

    private void endFaults() {
        halting = false;
        network.heal();
        network.loss(0);
        directory.heal();
        directory.breakCommits(0);
        files.endFaults();
        coordinators.forEach(coordinator -> coordinator.node.resume());
        simulation.runFor(Duration.ofSeconds(10));
        lead(leader);
    }

    private Coordinator any() {
        return coordinators.get(simulation.random().nextInt(coordinators.size()));
    }

    /** A pin counts from its answer on, not before: until then it may be too late. One operator, one command at a time. */
    private void pin() {
        List<Long> committed = committed();
        if (!operating && !committed.isEmpty()) {
            long number = committed.get(simulation.random().nextInt(committed.size()));
            operate(operatorsStore.pin(number), () -> pinned.add(number));
        }
    }

    private void unpin() {
        if (!operating && !pinned.isEmpty()) {
            operate(operatorsStore.unpin(pinned.removeFirst()), () -> {});
        }
    }

    /** At once, as the transaction of {@code albm ckpt rm} does. */
    void remove(long number) {
        removedByOperator.add(number);
        directory.apply(List.of(
                new Operation.Delete(paths.committed(number), Operation.ANY),
                again(paths.latest()),
                again(paths.marks())));
    }

    private Operation again(String path) {
        return new Operation.Set(path, directory.peek(path).orElseThrow().data(), Operation.ANY);
    }

    /** What of a checkpoint no other one can share is stored still. */
    boolean hasFilesOfItsOwn(long number) {
        return files.paths().stream().anyMatch(file -> paths.numberOf(file) == number && !paths.isPack(file));
    }

    private void operate(CompletableFuture<Void> command, Runnable answered) {
        operating = true;
        var _ = command.whenComplete((done, failure) -> {
            operating = false;
            if (failure == null) {
                answered.run();
            }
        });
    }

    private void crashSupervisor() {
        if (job.node().isUp()) {
            job.crash();
        }
    }

    private void crash(Coordinator coordinator) {
        crash(coordinator, soon(5));
    }

    private void crashAllForLong() {
        coordinators.forEach(coordinator -> crash(coordinator, longerThanSilence()));
    }

    private Duration longerThanSilence() {
        return SupervisorProtocol.SILENCE.plus(simulation.between(Duration.ofSeconds(1), Duration.ofSeconds(5)));
    }

    private void crash(Coordinator coordinator, Duration downFor) {
        if (coordinator.node.isUp()) {
            coordinator.crash();
            simulation.schedule(downFor, "restart " + coordinator.node.name(), coordinator.node::restart);
            electAnother(coordinator);
        }
    }

    private void stop(Coordinator coordinator) {
        coordinator.node.pause();
        simulation.schedule(soon(12), "continue " + coordinator.node.name(), coordinator.node::resume);
        electAnother(coordinator);
    }

    /** The latch notices after the session's end; it may come back too early or too late for the old leader to know. */
    private void electAnother(Coordinator gone) {
        simulation.schedule(simulation.between(Duration.ofSeconds(1), SESSION_TIMEOUT), "election", () -> {
            if (leader == gone) {
                lead(coordinators.get(1 - coordinators.indexOf(gone)));
            }
        });
    }

    private void cutForAWhile(Coordinator coordinator) {
        network.cut(coordinator.node, job.node());
        simulation.schedule(soon(6), "heal network", network::heal);
    }

    private void cutDirectory(SimNode node) {
        directory.cut(node);
        simulation.schedule(soon(6), "heal directory", directory::heal);
    }

    private void breakCommits(double probability) {
        directory.breakCommits(probability);
        simulation.schedule(soon(6), "connections hold", () -> directory.breakCommits(0));
    }

    private void loseMessages() {
        network.loss(0.3);
        simulation.schedule(soon(6), "messages arrive", () -> network.loss(0));
    }

    /** Of the newest checkpoint, but never of all: losing every copy is no protocol's to survive. */
    private Optional<String> expendable() {
        List<Long> committed = committed();
        if (committed.size() < 2 || committed.stream().anyMatch(states::isRotten)) {
            return Optional.empty();
        }
        List<String> some = states.filesOf(committed.getLast()).stream()
                .filter(file -> committed.stream()
                        .anyMatch(number -> !states.filesOf(number).contains(file)))
                .sorted()
                .toList();
        return some.isEmpty()
                ? Optional.empty()
                : Optional.of(some.get(simulation.random().nextInt(some.size())));
    }

    private Duration soon(int seconds) {
        return simulation.between(Duration.ofMillis(200), Duration.ofSeconds(seconds));
    }

    /** The election: the epoch is raised in the directory, the new leader hears of it, the old one need not. */
    private void lead(Coordinator next) {
        leader = next;
        directory.apply(List.of(new Operation.Set(EPOCH, NOTHING, Operation.ANY)));
        long epoch = epoch();
        simulation.schedule(simulation.between(Duration.ZERO, Duration.ofMillis(50)), "elected " + epoch, () -> {
            if (next.node.isUp()) {
                next.node.execute(() -> next.lead(epoch));
            } else {
                electAnother(next);
            }
        });
    }

    private long epoch() {
        return directory.peek(EPOCH).orElseThrow().version();
    }

    /** Numbers of the complete checkpoints, in order. */
    List<Long> committed() {
        return directory.peekChildren(paths.allCommitted()).stream()
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    /** Invariant: two coordinators never both commit. Seen at the very transaction. */
    private void judgeCommit(List<Operation> operations) {
        for (Operation operation : operations) {
            if (operation instanceof Operation.Create create && create.path().startsWith(paths.allCommitted() + "/")) {
                Committed entry = Json.read(create.data(), Committed.class);
                assertThat(entry.epoch())
                        .as("ONLY THE LEADER COMMITS: checkpoint %d", entry.number())
                        .isEqualTo(epoch());
                assertThat(entry.number()).as("NUMBERS NEVER GO BACK").isGreaterThan(lastCommitted);
                lastCommitted = entry.number();
                everCommitted.add(entry.number());
            }
            if (operation instanceof Operation.Delete delete && delete.path().startsWith(paths.allCommitted() + "/")) {
                judgeRetirement(Long.parseLong(
                        delete.path().substring(paths.allCommitted().length() + 1)));
            }
        }
        checkedChanges = -1;
    }

    /** Invariant: what goes by itself is not needed. */
    private void judgeRetirement(long retired) {
        if (removedByOperator.contains(retired)) {
            return;
        }
        assertThat(pinned).as("A PIN HOLDS").doesNotContain(retired);
        assertThat(committed().stream().filter(newer -> newer > retired))
                .as("RETENTION: checkpoint %d was retired too early", retired)
                .hasSizeGreaterThanOrEqualTo(spec.keep());
        assertThat(committed())
                .as("RETENTION: checkpoint %d shares no page with the newest, and no other does", retired)
                .anyMatch(kept ->
                        kept != retired && Chains.isSame(kept, lastCommitted) == Chains.isSame(retired, lastCommitted));
    }

    /** Invariant: every committed checkpoint is whole and every byte of it is what its rank had at that step. */
    private void nothingCommittedIsLost() {
        if (checkedChanges == files.changes()) {
            return;
        }
        checkedChanges = files.changes();
        for (long number : committed()) {
            Manifest whole = manifest(number);
            if (!states.isRotten(whole)) {
                whole.units().forEach(unit -> judge(number, unit, whole.step()));
            }
        }
    }

    /** Neither a commit record nor a manifest ever changes, so the same bytes need not be judged twice. */
    private Manifest manifest(long number) {
        Committed entry = entries.computeIfAbsent(
                number,
                _ -> Json.read(
                        directory.peek(paths.committed(number)).orElseThrow().data(), Committed.class));
        byte[] content = files.content(entry.manifest()).orElse(NOTHING);
        return manifests.computeIfAbsent(content, _ -> {
            assertThat(Digests.sha256(content))
                    .as("NOTHING COMMITTED IS LOST: manifest of %d", number)
                    .isEqualTo(entry.manifestSha256());
            return Json.read(content, Manifest.class);
        });
    }

    private void judge(long number, StoredUnit unit, long step) {
        try {
            judgeWhole(number, unit, step);
        } catch (LostDataException lost) {
            throw new AssertionError(
                    "NOTHING COMMITTED IS LOST: rank %d of checkpoint %d".formatted(unit.rank(), number), lost);
        }
    }

    private void judgeWhole(long number, StoredUnit unit, long step) {
        List<Optional<byte[]>> parts = states.parts(unit);
        assertThat(parts)
                .as("NOTHING COMMITTED IS LOST: rank %d of checkpoint %d", unit.rank(), number)
                .allMatch(Optional::isPresent);
        if (!isSame(judged.put(unit.path(), parts), parts)) {
            assertThat(states.state(unit))
                    .as("A COMMITTED CHECKPOINT IS ONE STEP OF ALL RANKS: rank %d of %d", unit.rank(), number)
                    .isEqualTo(states.truth(unit.rank(), step));
        }
    }

    private static boolean isSame(@Nullable List<Optional<byte[]>> before, List<Optional<byte[]>> now) {
        return before != null
                && before.size() == now.size()
                && IntStream.range(0, now.size())
                        .allMatch(i -> Arrays.equals(
                                before.get(i).orElseThrow(), now.get(i).orElseThrow()));
    }

    private boolean hasNoOrphans() {
        List<Long> committed = committed();
        List<String> inflight = directory.peekChildren(paths.allInflight());
        Set<String> needed = new HashSet<>();
        committed.forEach(number -> needed.addAll(states.filesOf(number)));
        return files.paths().stream()
                .allMatch(file -> needed.contains(file)
                        || (committed.contains(paths.numberOf(file)) && !paths.isManifest(file))
                        || states.isCommitted(file)
                        || inflight.contains(String.valueOf(paths.numberOf(file))));
    }

    /** A coordinator process: the production {@link JobCoordinator}, a ticker, and the way to the supervisor. */
    private final class Coordinator {
        private final SimNode node;
        private Optional<JobCoordinator> coordinating = Optional.empty();
        private long led;

        Coordinator(String name) {
            node = new SimNode(simulation, name);
        }

        void crash() {
            node.crash();
            coordinating = Optional.empty();
            led = 0;
        }

        /** Elections reach a process in their order: it never goes back to an earlier one. */
        void lead(long epoch) {
            if (epoch < led) {
                return;
            }
            led = epoch;
            SimCoordinationStore session = directory.connect(node);
            JobCoordinator mine = new JobCoordinator(
                    spec,
                    epoch,
                    CheckpointStrategies.create(spec.strategy(), spec.groupSize()),
                    new JobStore(mutation.store(session), spec.name()),
                    mutation.files(files.clientOf(node, session, new Fence("job-" + spec.name(), epoch))),
                    mutation.link(this::tell),
                    simulation.clock(),
                    this::wallClock,
                    node,
                    event -> simulation.note(node.name() + ": " + event));
            coordinating = Optional.of(mine);
            tick(epoch);
        }

        /** Jumps as it likes: nothing may depend on it. */
        private Instant wallClock() {
            return Instant.ofEpochSecond(simulation.random().nextInt());
        }

        private void tick(long epoch) {
            if (led == epoch) {
                double share = simulation.random().nextDouble();
                coordinating.ifPresent(now -> {
                    now.halt(halting);
                    now.tick(Network.unmeasured(new Bandwidth(1, share)));
                });
                node.after(Duration.ofMillis(50), "tick", () -> tick(epoch));
            }
        }

        private CompletableFuture<Answer> tell(Command command) {
            CompletableFuture<Answer> answered = new CompletableFuture<>();
            network.send(
                    node,
                    job.node(),
                    command.toString(),
                    () -> job.receive(command)
                            .ifPresent(answer -> network.send(
                                    job.node(), node, answer.toString(), () -> answered.complete(answer))));
            node.after(
                    ANSWER_TIMEOUT,
                    "answer timeout",
                    () -> answered.completeExceptionally(new IOException("no answer within " + ANSWER_TIMEOUT)));
            return answered;
        }
    }
}
