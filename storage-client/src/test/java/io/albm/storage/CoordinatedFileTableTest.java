// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A generation is announced, or published, or garbage: at every moment one of them, and never published after it was garbage. */
class CoordinatedFileTableTest {
    private static final StoragePath PATH = new StoragePath("/file");
    private static final Generation GENERATION = new Generation(1, 2);

    @Test
    void publishingEndsTheAnnouncementInTheSameStep() {
        World world = new World(1);
        world.settle(world.table.begin(GENERATION, PATH));
        assertThat(world.settle(world.table.announced()).join()).containsExactly(GENERATION);
        world.directory.observe(operations -> assertThat(world.isAnnounced()).isNotEqualTo(world.isPublished()));
        world.settle(world.table.publish(file(), PutMode.CREATE, null));
        assertThat(world.isPublished()).isTrue();
        assertThat(world.settle(world.table.announced()).join()).isEmpty();
    }

    @Test
    void aWriteWhoseSessionIsOverCannotBePublished() {
        World world = new World(2);
        world.settle(world.table.begin(GENERATION, PATH));
        world.directory.expire(world.writer);
        CoordinatedFileTable reconnected = new CoordinatedFileTable(world.directory.connect(world.writer));
        assertThat(world.settle(reconnected.publish(file(), PutMode.CREATE, null)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withRootCauseInstanceOf(StorageException.WriteExpired.class);
        assertThat(world.isPublished()).isFalse();
    }

    @Test
    void aCancelledWriteIsNotPublishedByACommitThatComesLate() {
        int cancelled = 0;
        for (int seed = 0; seed < 200; seed++) {
            World world = new World(seed);
            world.settle(world.table.begin(GENERATION, PATH));
            world.directory.breakCommits(0.9);
            var _ = world.table.publish(file(), PutMode.CREATE, null);
            world.simulation.runFor(world.simulation.between(Duration.ZERO, Duration.ofMillis(40)));
            world.directory.breakCommits(0);
            CompletableFuture<Boolean> cancel = world.settle(world.table.cancel(GENERATION));
            if (cancel.join()) {
                cancelled++;
                world.simulation.runUntilIdle();
                assertThat(world.isPublished()).as("seed %d", seed).isFalse();
            }
        }
        assertThat(cancelled).as("runs in which the cancel came first").isGreaterThan(20);
    }

    private static FileInfo file() {
        return new FileInfo(
                PATH.value(),
                1,
                0,
                GENERATION.toString(),
                new StripeGeometry(1, 1, 64 * 1024),
                List.of(new NodeId("n-1"), new NodeId("n-2")),
                Instant.EPOCH);
    }

    /** One writer and a directory. */
    private static final class World {
        final Simulation simulation;
        final SimDirectory directory;
        final SimNode writer;
        final CoordinatedFileTable table;

        World(long seed) {
            simulation = new Simulation(seed);
            directory = new SimDirectory(simulation, Duration.ofSeconds(2));
            writer = new SimNode(simulation, "writer");
            table = new CoordinatedFileTable(directory.connect(writer));
        }

        /** Turns the world until there is an answer, and not further. */
        <T> CompletableFuture<T> settle(CompletableFuture<T> answer) {
            simulation.runUntil(answer::isDone, Duration.ofMinutes(1), "an answer");
            return answer;
        }

        boolean isPublished() {
            return directory.peek("/storage/files/" + PATH.escaped()).isPresent();
        }

        boolean isAnnounced() {
            return directory.peek("/storage/writes/" + GENERATION).isPresent();
        }
    }
}
