// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a transaction of the protocol refuses. */
class JobStoreTest {
    private static final String EPOCH = Leadership.epochPath(Role.COORDINATOR);
    private static final long BASE = 8;
    private static final int MOST_RANKS = 10_000;

    private final Simulation simulation = new Simulation(1);
    private final SimDirectory directory = new SimDirectory(simulation, Duration.ofSeconds(4));
    private final CoordinationStore session = directory.connect(new SimNode(simulation, "coordinator"));
    private final JobPaths paths = new JobPaths("job");

    JobStoreTest() {
        directory.apply(List.of(
                new Operation.Create(EPOCH, new byte[0], false),
                new Operation.Set(EPOCH, new byte[0], 0),
                new Operation.Create(paths.next(), new byte[] {'9'}, false),
                new Operation.Create(paths.allInflight(), new byte[0], false),
                new Operation.Create(paths.committed(BASE), new byte[0], false)));
    }

    @Test
    void opensACheckpointOnACompleteBase() {
        open(session);
        assertThat(directory.peek(paths.inflight(BASE + 1))).isPresent();
    }

    @Test
    void opensNoneOnABaseThatAnOperatorHasRemovedMeanwhile() {
        removeBase();
        assertThatThrownBy(() -> open(session)).hasCauseInstanceOf(CoordinationException.NoSuchNode.class);
        assertThat(directory.peek(paths.inflight(BASE + 1))).isEmpty();
        assertThat(directory.peek(paths.next()).orElseThrow().version())
                .as("the number is not taken")
                .isZero();
    }

    @Test
    void withoutTheCheckOfTheBaseItWouldBeOpened() {
        removeBase();
        open(new Mutation.WithoutBaseCheck(BASE).store(session));
        assertThat(directory.peek(paths.inflight(BASE + 1))).isPresent();
    }

    @Test
    void theVotesOfTheLargestJobFitIntoATransaction() {
        Map<Integer, LocalCopy> votes = IntStream.range(0, MOST_RANKS)
                .boxed()
                .collect(Collectors.toMap(rank -> rank, _ -> new LocalCopy(Long.MAX_VALUE, 0xffff_ffffL)));
        Inflight voted = new Inflight(Long.MAX_VALUE, BASE, Long.MAX_VALUE, votes, Instant.MAX, Long.MAX_VALUE);
        assertThat(Json.bytes(voted)).hasSizeBetween(500_000, 900 * 1024);
        Interval interval = new Interval.Fixed(1000);
        assertThatThrownBy(() -> new JobSpec("job", MOST_RANKS + 1, interval, 0, 1, 1, "striped", 1, 2, 0))
                .hasMessageContaining("--ranks");
    }

    private void removeBase() {
        directory.apply(List.of(new Operation.Delete(paths.committed(BASE), Operation.ANY)));
    }

    private void open(CoordinationStore store) {
        CompletableFuture<Void> opened = new JobStore(store, "job").ledBy(1).open(new Action.Open(BASE + 1, BASE, 0));
        simulation.runUntil(opened::isDone, Duration.ofSeconds(1), "the answer");
        opened.join();
    }
}
