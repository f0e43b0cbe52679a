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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

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
    private final SimNetwork network;
    private final Mutation mutation;
    private final JobSpec spec = new JobSpec("job", 3, 1500, 300, 2000, 8000, "multistriped", 2, 3);
    private final JobPaths paths = new JobPaths("job");
    private final List<Coordinator> coordinators = new ArrayList<>();
    private final Set<Long> everCommitted = new HashSet<>();
    private final Map<String, byte[]> judged = new HashMap<>();
    private long lastCommitted;
    private long checkedChanges = -1;
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
        job = new SimJob(simulation, directory, spec, files, mutation);
        directory.apply(List.of(
                new Operation.Create(EPOCH, NOTHING, false),
                new Operation.Create(paths.spec(), Json.bytes(spec), false),
                new Operation.Create(paths.next(), "1".getBytes(US_ASCII), false),
                new Operation.Create(paths.latest(), "0".getBytes(US_ASCII), false),
                new Operation.Create(paths.allInflight(), NOTHING, false),
                new Operation.Create(paths.allCommitted(), NOTHING, false)));
        coordinators.add(new Coordinator("coordinator-1"));
        coordinators.add(new Coordinator("coordinator-2"));
        leader = coordinators.getFirst();
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

    private FaultPlan faults() {
        FaultPlan plan = new FaultPlan(simulation, Duration.ofMillis(1500))
                .add(4, "kill a rank", job::killRank)
                .add(2, "kill the supervisor", this::crashSupervisor)
                .add(3, "kill a coordinator", () -> crash(any()))
                .add(4, "stop a coordinator", () -> stop(any()))
                .add(3, "another leader", () -> lead(any()))
                .add(3, "cut leader and supervisor", () -> cutForAWhile(leader))
                .add(3, "cut a coordinator off the directory", () -> cutDirectory(any().node))
                .add(2, "cut the supervisor off the directory", () -> cutDirectory(job.node()))
                .add(3, "directory connections break", () -> breakCommits(0.5))
                .add(2, "messages get lost", this::loseMessages);
        files.addFaults(plan, this::expendable);
        return plan;
    }

    private void endFaults() {
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

    private void crashSupervisor() {
        if (job.node().isUp()) {
            job.crash();
        }
    }

    private void crash(Coordinator coordinator) {
        if (coordinator.node.isUp()) {
            coordinator.crash();
            simulation.schedule(soon(5), "restart " + coordinator.node.name(), coordinator.node::restart);
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
        return committed.size() >= 2 && committed.stream().noneMatch(this::isRotten)
                ? Optional.of(
                        paths.unit(committed.getLast(), simulation.random().nextInt(spec.ranks())))
                : Optional.empty();
    }

    private boolean isRotten(long number) {
        return spec.allRanks().stream().anyMatch(rank -> files.isRotten(paths.unit(number, rank)));
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

    private List<Long> committed() {
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
                long retired = Long.parseLong(
                        delete.path().substring(paths.allCommitted().length() + 1));
                assertThat(committed().stream().filter(newer -> newer > retired))
                        .as("RETENTION: checkpoint %d was retired too early", retired)
                        .hasSizeGreaterThanOrEqualTo(spec.keep());
            }
        }
        checkedChanges = -1;
    }

    /** Invariant: every committed checkpoint is whole and every byte of it is what its rank had at that step. */
    private void nothingCommittedIsLost() {
        if (checkedChanges == files.changes()) {
            return;
        }
        checkedChanges = files.changes();
        for (long number : committed()) {
            Committed entry = Json.read(
                    directory.peek(paths.committed(number)).orElseThrow().data(), Committed.class);
            byte[] manifest = files.content(entry.manifest()).orElse(NOTHING);
            assertThat(Digests.sha256(manifest))
                    .as("NOTHING COMMITTED IS LOST: manifest of %d", number)
                    .isEqualTo(entry.manifestSha256());
            Json.read(manifest, Manifest.class).units().forEach(unit -> judge(number, unit, entry.step()));
        }
    }

    private void judge(long number, StoredUnit unit, long step) {
        byte[] content = files.content(unit.path()).orElse(null);
        assertThat(content)
                .as("NOTHING COMMITTED IS LOST: rank %d of checkpoint %d", unit.rank(), number)
                .isNotNull();
        if (!Arrays.equals(judged.put(unit.path(), content), content) && !files.isRotten(unit.path())) {
            assertThat(content)
                    .as("A COMMITTED CHECKPOINT IS ONE STEP OF ALL RANKS: rank %d of %d", unit.rank(), number)
                    .isEqualTo(SimJob.truth(unit.rank(), step));
        }
    }

    private boolean hasNoOrphans() {
        List<Long> committed = committed();
        List<String> inflight = directory.peekChildren(paths.allInflight());
        return files.paths().stream()
                .map(paths::numberOf)
                .allMatch(number -> committed.contains(number) || inflight.contains(String.valueOf(number)));
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

        void lead(long epoch) {
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
                    node,
                    event -> simulation.note(node.name() + ": " + event));
            coordinating = Optional.of(mine);
            tick(epoch);
        }

        private void tick(long epoch) {
            if (led == epoch) {
                double share = simulation.random().nextDouble();
                coordinating.ifPresent(now -> now.tick(Network.unmeasured(new Bandwidth(1, share))));
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
