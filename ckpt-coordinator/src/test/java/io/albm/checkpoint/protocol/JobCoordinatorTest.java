// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.Network;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import io.albm.core.sim.SimCoordinationStore;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of requests and of stored files while no checkpoint commits: ranks save, and store nothing in time. */
class JobCoordinatorTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final byte[] SOME = {1};

    private final Simulation simulation = new Simulation(1);
    private final SimDirectory directory = new SimDirectory(simulation, Duration.ofSeconds(4));
    private final SimNode node = new SimNode(simulation, "coordinator");
    private final SimCoordinationStore session = directory.connect(node);
    private final SimFiles storage = new SimFiles(simulation);
    private final CheckpointFiles files = storage.clientOf(node, session, null);
    private final JobPaths paths = new JobPaths("job");
    private final SupervisorProtocol supervisor = new SupervisorProtocol(1, new SavesOnly(), 0);
    private final Set<Long> givenUp = new HashSet<>();

    @Test
    void whatAGivenUpCheckpointStoresLateGoesWithTheNextOneThatIsGivenUp() {
        records(1);
        lead(new Interval.Fixed(1500));
        awaitGivenUp(1);
        String late = store(1);
        awaitGivenUp(2);
        simulation.runUntil(() -> !storage.paths().contains(late), PATIENCE, "the sweep of " + late);
        assertThat(givenUp)
                .as("no commit was needed, nor another one that is given up")
                .containsExactly(1L, 2L);
    }

    @Test
    void whatWasLeftBeforeATakeOverGoesThoughNoCheckpointBegins() {
        records(3);
        String left = store(2);
        String notGivenOutYet = store(3);
        lead(new Interval.Fixed(Duration.ofHours(1).toMillis()));
        simulation.runUntil(() -> !storage.paths().contains(left), PATIENCE, "the sweep of " + left);
        assertThat(storage.paths()).containsExactly(notGivenOutYet);
    }

    @Test
    void whatCameAfterTheNewestGoesThoughNobodyKnowsWhatTheNewestNeeds() {
        records(3);
        commitWithoutManifest(1);
        String own = store(1);
        String left = store(2);
        lead(new Interval.Fixed(Duration.ofHours(1).toMillis()));
        simulation.runUntil(() -> !storage.paths().contains(left), PATIENCE, "the sweep of " + left);
        assertThat(storage.paths()).containsExactly(own);
    }

    @Test
    void aCheckpointThatIsAskedForBeginsThoughItsBaseHasBeenRemoved() {
        records(3);
        commitWithoutManifest(1);
        commitWithoutManifest(2);
        JobCoordinator coordinator = lead(new Interval.Fixed(Duration.ofHours(1).toMillis()));
        simulation.runUntil(() -> coordinator.phase() instanceof Phase.Idle, PATIENCE, "the end of the take-over");
        remove(2);
        coordinator.trigger();
        awaitGivenUp(3);
    }

    private void commitWithoutManifest(long number) {
        Committed entry =
                new Committed(number, "lost", "", 0, 1, 0, 0, 0, 0, 0, new CheckpointTimes(Instant.EPOCH, 0, 0, 0));
        directory.apply(List.of(
                new Operation.Create(paths.committed(number), Json.bytes(entry), false),
                new Operation.Set(paths.latest(), Long.toString(number).getBytes(US_ASCII), Operation.ANY)));
    }

    /** As an operator does. */
    private void remove(long number) {
        JobStore store = new JobStore(session, "job");
        CompletableFuture<Void> removed = store.read().thenCompose(state -> store.remove(number, state));
        simulation.runUntil(removed::isDone, PATIENCE, "the removal of " + number);
        removed.join();
    }

    private void records(long next) {
        byte[] nothing = {};
        directory.apply(List.of(
                new Operation.Create(Leadership.epochPath(Role.COORDINATOR), nothing, false),
                new Operation.Create(paths.next(), Long.toString(next).getBytes(US_ASCII), false),
                new Operation.Create(paths.latest(), "0".getBytes(US_ASCII), false),
                new Operation.Create(paths.marks(), Json.bytes(Marks.NONE), false),
                new Operation.Create(paths.aborted(), Json.bytes(Aborted.NONE), false),
                new Operation.Create(paths.allInflight(), nothing, false),
                new Operation.Create(paths.allCommitted(), nothing, false),
                new Operation.Create(paths.drains(), nothing, false)));
    }

    private JobCoordinator lead(Interval interval) {
        JobSpec spec = new JobSpec("job", 1, interval, 300, 2000, 2000, CheckpointStrategies.DEFAULT, 3, 2, 0);
        JobCoordinator coordinator = new JobCoordinator(
                spec,
                0,
                CheckpointStrategies.create(spec.strategy(), spec.groupSize()),
                new JobStore(session, spec.name()),
                files,
                command -> CompletableFuture.supplyAsync(() -> supervisor.on(command, now()), node),
                simulation.clock(),
                () -> Instant.EPOCH,
                node,
                this::heard);
        supervisor.joined(0);
        tick(coordinator);
        return coordinator;
    }

    private void tick(JobCoordinator coordinator) {
        coordinator.tick(Network.UNKNOWN);
        node.after(Duration.ofMillis(50), "tick", () -> tick(coordinator));
    }

    private long now() {
        return simulation.clock().nanoTime();
    }

    private void heard(JobEvent event) {
        if (event instanceof JobEvent.CheckpointAborted aborted) {
            givenUp.add(aborted.number());
        }
    }

    private void awaitGivenUp(long number) {
        simulation.runUntil(() -> givenUp.contains(number), PATIENCE, "the end of checkpoint " + number);
    }

    private String store(long number) {
        String pack = paths.pack(new PackId(number, 0));
        CompletableFuture<Void> stored = files.write(pack, SOME);
        simulation.runUntil(stored::isDone, PATIENCE, "the write of " + pack);
        return pack;
    }

    private final class SavesOnly implements SupervisorProtocol.Effects {
        @Override
        public void hold(long checkpoint) {
            node.execute(() -> supervisor.begun(checkpoint, 0, 4));
        }

        @Override
        public void save(long checkpoint, long step, boolean last) {
            node.execute(() -> supervisor.saved(checkpoint, 0, new LocalCopy(1, 0)));
        }

        @Override
        public void release(long checkpoint) {}

        @Override
        public void drain(long checkpoint, long base, int rank, LocalCopy copy) {}

        @Override
        public void committed(long checkpoint) {}

        @Override
        public void halt(long checkpoint) {}

        @Override
        public void discard(long checkpoint) {}
    }
}
