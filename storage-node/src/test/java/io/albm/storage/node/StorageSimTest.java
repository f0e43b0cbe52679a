// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimSeeds;
import io.albm.core.sim.SimulationFailure;
import io.netty.util.ResourceLeakDetector;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The promises of the striped store under a file workload with all faults that it is made for, and some more, see
 * {@link SimFileWorld}; and that each guard is needed for them. M is the seed's remainder by 3.
 *
 * <p>Run one seed alone by {@code -Dalbm.sim.seed=N}, more by {@code -Dalbm.sim.seeds=N}.
 */
class StorageSimTest {
    private static final SimSeeds SEEDS = SimSeeds.orUsually(1000);

    /** Worlds with leaders of the file table take three times as long. */
    private static final SimSeeds LED = new SimSeeds(SEEDS.first(), Math.ceilDiv(SEEDS.count(), 10));

    /** Within so many the checker must notice that a guard is missing. */
    private static final SimSeeds FEW = new SimSeeds(0, 2000);

    /** A process that dies takes its buffers with it; here they stay behind, which is no leak. */
    @BeforeAll
    static void expectLostBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @Test
    void whatIsAcknowledgedIsThereAndExact() {
        LongAdder acknowledged = new LongAdder();
        LongAdder read = new LongAdder();
        LongAdder faults = new LongAdder();
        SEEDS.run(seed -> {
            SimFileWorld.Result result = world(seed, SimIoFault.NONE).run();
            acknowledged.add(result.acknowledged());
            read.add(result.read());
            faults.add(result.faults());
        });
        assertThat(acknowledged.sum()).as("changes acknowledged").isGreaterThan(SEEDS.count() * 5);
        assertThat(read.sum()).as("ranges read").isGreaterThan(SEEDS.count() * 20);
        assertThat(faults.sum()).as("faults").isGreaterThanOrEqualTo(SEEDS.count());
    }

    @Test
    void whatIsSyncedSurvivesTheLossOfAllNodes() {
        LED.run(seed -> ledWorld(seed, SimIoFault.NONE, true).run());
    }

    @Test
    void whatIsAnsweredEarlySurvivesTheLossOfAnyOne() {
        LED.run(seed -> ledWorld(seed, SimIoFault.NONE, false).run());
    }

    @Test
    void theCheckerFiresWhenBlocksAreRemovedBeforeThatIsDurable() {
        assertThat(FEW.all().anyMatch(seed -> fails(ledWorld(seed, SimIoFault.FREED_BEFORE_SYNC, true))))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "FREED_BEFORE_SYNC"})
    void theCheckerFiresWithoutAGuard(SimIoFault missing) {
        assertThat(FEW.all().anyMatch(seed -> fails(world(seed, missing))))
                .as("a seed of " + FEW.count() + " that fails")
                .isTrue();
    }

    @Test
    void repeatsAWorldEventByEvent() {
        assertThat(world(5, SimIoFault.NONE).run())
                .isEqualTo(world(5, SimIoFault.NONE).run());
    }

    private static SimFileWorld world(long seed, SimIoFault fault) {
        return new SimFileWorld(seed, (int) (seed % 3), fault);
    }

    private static SimFileWorld ledWorld(long seed, SimIoFault fault, boolean isSynced) {
        return new SimFileWorld(
                seed,
                (int) (seed % 3),
                fault,
                (simulation, directory, processes) -> new LedTable(simulation, directory, processes, isSynced));
    }

    private static boolean fails(SimFileWorld world) {
        try {
            world.run();
            return false;
        } catch (SimulationFailure failure) {
            return true;
        }
    }
}
