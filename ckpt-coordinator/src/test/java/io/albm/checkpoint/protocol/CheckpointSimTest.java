// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimSeeds;
import io.albm.core.sim.SimulationFailure;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The protocol under crashes, stops, partitions, lost messages, commits of unknown outcome, unreachable and rotting
 * storage. Run one seed alone by {@code -Dalbm.sim.seed=N}, more by {@code -Dalbm.sim.seeds=N}.
 */
class CheckpointSimTest {
    private static final SimSeeds SEEDS = SimSeeds.orUsually(200);
    private static final int FEW = 200;
    private static final Duration FAULTS_FOR = Duration.ofSeconds(30);

    @Test
    void keepsItsInvariantsUnderSeededFaults() {
        LongAdder commits = new LongAdder();
        LongAdder restores = new LongAdder();
        LongAdder halts = new LongAdder();
        SEEDS.run(seed -> {
            SimCheckpoints world = new SimCheckpoints(seed, new Mutation());
            world.run(FAULTS_FOR);
            commits.add(world.commits());
            restores.add(world.job.restores());
            halts.add(world.job.halts());
        });
        assertThat(commits.sum()).as("checkpoints committed under faults").isGreaterThan(SEEDS.count() * 3);
        assertThat(restores.sum()).as("restores under faults").isGreaterThan(SEEDS.count());
        assertThat(halts.sum()).as("halts under faults").isGreaterThan(SEEDS.count() / 10);
    }

    @Test
    void whatAllHaveSavedIsCommittedHoweverLateTheNextCoordinatorComes() {
        SEEDS.run(seed -> {
            SimCheckpoints world = new SimCheckpoints(seed, new Mutation());
            world.begin();
            long number = world.outliveAllCoordinators(() -> {});
            assertThat(world.committed()).as("seed %d", seed).contains(number);
        });
    }

    @Test
    void whatRanksWentBackBehindInThatSilenceIsNotCommitted() {
        SEEDS.run(seed -> {
            SimCheckpoints world = new SimCheckpoints(seed, new Mutation());
            world.begin();
            long number = world.outliveAllCoordinators(world.job::killRank);
            assertThat(world.committed()).as("seed %d", seed).doesNotContain(number);
        });
    }

    @Test
    void repeatsARunEventByEvent() {
        assertThat(events(5)).isEqualTo(events(5));
    }

    @Test
    void theCheckerFiresWithoutTheEpochCheck() {
        assertThat(firstFailure(Mutation.WithoutEpochCheck::new)).contains("ONLY THE LEADER COMMITS");
    }

    @Test
    void theCheckerFiresWhenRetentionDoesNotCheckThePins() {
        assertThat(firstFailure(Mutation.WithoutMarksCheck::new)).contains("A PIN HOLDS");
    }

    @Test
    void theCheckerFiresWithoutTheDigestCheck() {
        assertThat(firstFailure(Mutation.WithoutDigestCheck::new)).contains("NO HALF CHECKPOINT RESTORED");
    }

    @Test
    void theCheckerFiresWhenAllCountAsStoredTooEarly() {
        assertThat(firstFailure(Mutation.WithEarlyVotesUnverified::new)).contains("NOTHING COMMITTED IS LOST");
    }

    @Test
    void theCheckerFiresWhenPacksThatOthersNeedAreCollected() {
        assertThat(firstFailure(Mutation.WithCollectionByNumber::new)).contains("NOTHING COMMITTED IS LOST");
    }

    @Test
    void verificationAloneStopsVotesThatCameTooEarly() {
        SimCheckpoints world = new SimCheckpoints(1, new Mutation.WithEarlyVotes());
        world.begin();
        world.simulation.runFor(FAULTS_FOR);
        assertThat(world.commits()).isZero();
    }

    @Test
    void retiresNothingWhileTheNewestCannotBeConfirmed() {
        SimCheckpoints world = new SimCheckpoints(1, new Mutation.WithLostUnits());
        world.begin();
        world.simulation.runFor(FAULTS_FOR);
        assertThat(world.commits())
                .as("one that counts on pages that are gone is rejected, the next one stores all of them anew")
                .isGreaterThan(6);
        assertThat(world.committed()).hasSize(world.commits());
    }

    @Test
    void whatAnOperatorRemovesJustWhenOthersAreRetiredIsSweptAfterThat() {
        SimCheckpoints world = new SimCheckpoints(1, new Mutation());
        world.begin();
        world.simulation.runUntil(() -> world.commits() == 5, FAULTS_FOR, "a checkpoint that retires another one");
        long removed = world.committed().get(1);
        world.remove(removed);
        world.simulation.runUntil(() -> !world.hasFilesOfItsOwn(removed), FAULTS_FOR, "the sweep");
        assertThat(world.commits()).as("no other commit was needed").isEqualTo(5);
    }

    private static long events(long seed) {
        SimCheckpoints world = new SimCheckpoints(seed, new Mutation());
        world.run(FAULTS_FOR);
        return world.simulation.executed() * 31 + world.simulation.clock().nanoTime();
    }

    private static String firstFailure(Supplier<Mutation> mutation) {
        for (int seed = 0; seed < FEW; seed++) {
            try {
                new SimCheckpoints(seed, mutation.get()).run(FAULTS_FOR);
            } catch (SimulationFailure failure) {
                return String.valueOf(failure.getMessage());
            }
        }
        return "no seed of " + FEW + " failed";
    }
}
