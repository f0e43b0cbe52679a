// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.CoordinationException.NodeExists;
import io.albm.core.cluster.CoordinationException.OutcomeUnknown;
import io.albm.core.cluster.CoordinationException.Unavailable;
import io.albm.core.cluster.CoordinationException.VersionConflict;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SimCoordinationStoreTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final byte[] A = "a".getBytes(UTF_8);
    private static final byte[] B = "b".getBytes(UTF_8);

    private final Simulation simulation = new Simulation(11);
    private final SimDirectory directory = new SimDirectory(simulation, TIMEOUT);
    private final SimNode node = new SimNode(simulation, "client");
    private final SimCoordinationStore store = directory.connect(node);

    @Test
    void createsMissingParentsAndCountsVersions() {
        commit(store, new Operation.Create("/jobs/heat/latest", A, false));
        commit(store, new Operation.Set("/jobs/heat/latest", B, 0));
        Versioned read = settle(store.read("/jobs/heat/latest")).join().orElseThrow();
        assertThat(read.version()).isOne();
        assertThat(read.data()).isEqualTo(B);
        assertThat(settle(store.children("/jobs")).join()).containsExactly("heat");
    }

    @Test
    void appliesAllOperationsOrNone() {
        commit(store, new Operation.Create("/epoch", A, false));
        CompletableFuture<Void> refused = settle(
                store.commit(List.of(new Operation.Create("/half", A, false), new Operation.Check("/epoch", 1))));
        assertThat(refused).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(VersionConflict.class);
        assertThat(directory.peek("/half")).isEmpty();
    }

    @Test
    void refusesToDeleteANodeWithChildren() {
        commit(store, new Operation.Create("/a/b", A, false));
        CompletableFuture<Void> refused = settle(store.commit(List.of(new Operation.Delete("/a", Operation.ANY))));
        assertThat(refused).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(NodeExists.class);
    }

    @Test
    void anUnknownOutcomeWasAppliedInSomeRunsAndNotInOthers() {
        directory.breakCommits(1);
        int applied = 0;
        for (int i = 0; i < 100; i++) {
            String path = "/n" + i;
            CompletableFuture<Void> unknown = settle(store.commit(List.of(new Operation.Create(path, A, false))));
            assertThat(unknown)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(OutcomeUnknown.class);
            applied += directory.peek(path).isPresent() ? 1 : 0;
        }
        assertThat(applied).isBetween(30, 90);
    }

    @Test
    void ephemeralNodesGoWithTheCrashedSessionOnly() {
        SimCoordinationStore other = directory.connect(new SimNode(simulation, "other"));
        commit(store, new Operation.Create("/mine", A, true));
        commit(other, new Operation.Create("/theirs", A, true));
        node.crash();
        node.restart();
        simulation.runFor(TIMEOUT.plusMillis(1));
        assertThat(directory.peek("/mine")).isEmpty();
        assertThat(directory.peek("/theirs")).isPresent();
    }

    @Test
    void makesNothingEphemeralForASessionThatIsOver() {
        directory.breakCommits(1);
        for (int i = 0; i < 100; i++) {
            SimNode dying = new SimNode(simulation, "dying-" + i);
            var _ = directory.connect(dying).commit(List.of(new Operation.Create("/n" + i, A, true)));
            directory.expire(dying);
        }
        simulation.runUntilIdle();
        assertThat(directory.peekChildren("")).isEmpty();
    }

    @Test
    void answersNobodyWhoWasStartedInThePlaceOfWhoAsked() {
        CompletableFuture<?> asked = store.read("/x");
        node.crash();
        node.restart();
        simulation.runUntilIdle();
        assertThat(asked).isNotDone();
    }

    @Test
    void aProcessStoppedForLessThanTheTimeoutKeepsItsSession() {
        commit(store, new Operation.Create("/mine", A, true));
        node.pause();
        simulation.runFor(TIMEOUT.minusMillis(1));
        node.resume();
        simulation.runFor(TIMEOUT.multipliedBy(2));
        assertThat(directory.peek("/mine")).isPresent();
    }

    @Test
    void watchesSeeTheNodeAndItsChildrenAndFireAfterAReconnection() {
        AtomicInteger calls = new AtomicInteger();
        store.watch("/jobs", calls::incrementAndGet);
        commit(store, new Operation.Create("/jobs/one", A, false));
        assertThat(calls).hasValue(1);
        commit(store, new Operation.Create("/other", A, false));
        assertThat(calls).hasValue(1);
        directory.cut(node);
        directory.apply(List.of(new Operation.Create("/jobs/two", A, false)));
        simulation.runUntilIdle();
        assertThat(calls).hasValue(1);
        directory.heal();
        simulation.runUntilIdle();
        assertThat(calls).hasValue(2);
    }

    @Test
    void isUnavailableWhileCutOff() {
        directory.cut(node);
        assertThat(settle(store.read("/x")))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(Unavailable.class);
    }

    private void commit(SimCoordinationStore session, Operation operation) {
        settle(session.commit(List.of(operation))).join();
    }

    private <T> CompletableFuture<T> settle(CompletableFuture<T> future) {
        simulation.runUntilIdle();
        assertThat(future).isDone();
        return future;
    }
}
