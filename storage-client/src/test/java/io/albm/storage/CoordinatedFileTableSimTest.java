// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writers race for one path while commits break, apply late, and sessions end. */
class CoordinatedFileTableSimTest {
    private static final StoragePath PATH = new StoragePath("/contended");
    private static final int WRITERS = 3;
    private static final int WRITES = 6;

    private final Set<String> everVisible = new HashSet<>();
    private final Map<String, String> outcomes = new HashMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void saysTruthfullyWhetherAFileWasPublished(long seed) {
        Simulation simulation = new Simulation(seed);
        SimDirectory directory = new SimDirectory(simulation, Duration.ofSeconds(2));
        directory.breakCommits(0.3);
        directory.observe(operations -> operations.forEach(this::see));
        for (int writer = 0; writer < WRITERS; writer++) {
            SimNode node = new SimNode(simulation, "writer-" + writer);
            write(simulation, directory, node, new CoordinatedFileTable(directory.connect(node)), WRITES);
        }
        simulation.runUntilIdle();
        assertThat(outcomes).hasSize(WRITERS * WRITES);
        outcomes.forEach(this::check);
    }

    private void see(Operation operation) {
        switch (operation) {
            case Operation.Create create when create.path().startsWith("/storage/files/") -> see(create.data());
            case Operation.Set set when set.path().startsWith("/storage/files/") -> see(set.data());
            default -> {}
        }
    }

    private void see(byte[] entry) {
        everVisible.add(Json.read(entry, FileInfo.class).generation());
    }

    private void check(String generation, String outcome) {
        switch (outcome) {
            case "published" -> assertThat(everVisible).contains(generation);
            case "OutcomeUnknown" -> {}
            default -> assertThat(everVisible).as(outcome).doesNotContain(generation);
        }
    }

    private void write(
            Simulation simulation, SimDirectory directory, SimNode node, CoordinatedFileTable table, int left) {
        if (left == 0) {
            return;
        }
        Generation generation = Generation.random(simulation.random());
        PutMode mode = simulation.chance(0.8) ? PutMode.REPLACE : PutMode.CREATE;
        table.begin(generation, PATH)
                .thenCompose(nothing -> {
                    if (simulation.chance(0.1)) {
                        directory.expire(node);
                    }
                    return table.publish(file(generation), mode, new Fence("job", WRITES - left));
                })
                .thenApply(replaced -> "published")
                .exceptionally(
                        failure -> StorageException.unwrap(failure).getClass().getSimpleName())
                .thenCompose(outcome -> settle(table, generation, outcome))
                .thenAccept(outcome -> {
                    outcomes.put(generation.toString(), outcome);
                    CoordinatedFileTable next = new CoordinatedFileTable(directory.connect(node));
                    write(simulation, directory, node, next, left - 1);
                });
    }

    /** A writer that failed takes its announcement back before it removes blocks, unless the outcome is unknown. */
    private static CompletableFuture<String> settle(CoordinatedFileTable table, Generation generation, String outcome) {
        return outcome.equals("published") || outcome.equals("OutcomeUnknown")
                ? CompletableFuture.completedFuture(outcome)
                : table.cancel(generation)
                        .handle((cancelled, failure) ->
                                failure == null && cancelled ? outcome : withoutRemoval(outcome));
    }

    private static String withoutRemoval(String outcome) {
        return outcome.equals("WriteExpired") ? outcome : "OutcomeUnknown";
    }

    private static FileInfo file(Generation generation) {
        return new FileInfo(
                PATH.value(),
                1,
                0,
                generation.toString(),
                new StripeGeometry(1, 1, 64 * 1024),
                List.of(new NodeId("n-1"), new NodeId("n-2")),
                Instant.EPOCH);
    }
}
