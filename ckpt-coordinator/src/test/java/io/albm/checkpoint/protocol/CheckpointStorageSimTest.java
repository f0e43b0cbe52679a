// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimSeeds;
import io.albm.core.sim.SimulationFailure;
import io.albm.storage.node.SimIoFault;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Coordinator, supervisor and striped store in one world: the faults of {@link CheckpointSimTest}, and I/O nodes that lose
 * power between a write and its fsync, stop, are cut off, come back with an empty disk, and whose blocks rot. Run one
 * seed alone by {@code -Dalbm.sim.seed=N}, more by {@code -Dalbm.sim.seeds=N}.
 */
class CheckpointStorageSimTest {
    private static final SimSeeds SEEDS = SimSeeds.orUsually(100);
    private static final SimSeeds FEW = new SimSeeds(0, 200);
    private static final Duration FAULTS_FOR = Duration.ofSeconds(30);

    /** A process that dies takes its buffers with it; here they stay behind, which is no leak. */
    @BeforeAll
    static void expectLostBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void losesNothingThatWasCommittedOnTheStripedStore(int parityUnits) {
        LongAdder commits = new LongAdder();
        LongAdder restores = new LongAdder();
        SEEDS.run(seed -> {
            SimCheckpoints world = SimCheckpoints.striped(seed, parityUnits, SimIoFault.NONE);
            world.run(FAULTS_FOR);
            commits.add(world.commits());
            restores.add(world.job.restores());
        });
        assertThat(commits.sum()).as("checkpoints committed under faults").isGreaterThan(SEEDS.count() * 3);
        assertThat(restores.sum()).as("restores under faults").isGreaterThan(SEEDS.count());
    }

    @ParameterizedTest
    @EnumSource(names = {"CONTENT_NOT_SYNCED", "NAMES_NOT_SYNCED", "CHECKSUM_NOT_READ"})
    void theCheckerFiresWithoutAGuardOfTheStore(SimIoFault missing) {
        assertThat(FEW.all()
                        .mapToObj(seed -> failure(seed, missing))
                        .flatMap(Optional::stream)
                        // What is not a checkpoint yet may be lost first, and then the storage is never whole again.
                        .anyMatch(failure -> failure.contains("NOTHING COMMITTED IS LOST")))
                .as("a seed of " + FEW.count() + " that loses something committed")
                .isTrue();
    }

    private static Optional<String> failure(long seed, SimIoFault missing) {
        try {
            SimCheckpoints.striped(seed, 1, missing).run(FAULTS_FOR);
            return Optional.empty();
        } catch (SimulationFailure failure) {
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }
}
