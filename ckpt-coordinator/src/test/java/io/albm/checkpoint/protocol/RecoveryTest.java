// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order states are fetched, with each fetch in the test's hands. */
class RecoveryTest {
    private static final int RANKS = 5;
    private static final int AT_ONCE = 3;
    private static final Duration BOUND = Duration.ofSeconds(5);

    private final Simulation simulation = new Simulation(1);
    private final SimDirectory directory = new SimDirectory(simulation, Duration.ofSeconds(4));
    private final SimNode node = new SimNode(simulation, "supervisor");
    private final JobStore store = new JobStore(directory.connect(node), "job");
    private final Map<String, byte[]> manifests = new HashMap<>();
    private final Map<String, CompletableFuture<String>> fetches = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<Optional<Manifest>> restored;

    RecoveryTest() {
        JobSpec spec = new JobSpec("job", RANKS, new Interval.Fixed(1000), 0, 1, 1, "striped", 1, 2, 0);
        await(store.create(spec));
        commit(8);
        commit(9);
        Recovery recovery = new Recovery(
                store,
                new Manifests(),
                this::fetch,
                AT_ONCE,
                (delay, action) -> node.after(delay, "again", action),
                event -> {});
        restored = recovery.restoreLatest();
    }

    private void commit(long number) {
        List<StoredUnit> units =
                IntStream.range(0, RANKS).mapToObj(rank -> unit(number, rank)).toList();
        byte[] manifest = Json.bytes(new Manifest("job", number, number, 1, 1, units, List.of()));
        String path = store.paths().manifest(number, 1);
        manifests.put(path, manifest);
        CheckpointTimes times = new CheckpointTimes(Instant.EPOCH, 0, 0, 0);
        Committed entry = new Committed(number, path, Digests.sha256(manifest), number, 1, 0, 0, 0, 1, 0, times);
        directory.apply(List.of(new Operation.Create(store.paths().committed(number), Json.bytes(entry), false)));
    }

    private static StoredUnit unit(long number, int rank) {
        String name = number + "-" + rank;
        return new StoredUnit(
                rank, name, 1, "of " + name, 1, "", 1, new Pack(new PackId(number, rank), 1, 1), List.of());
    }

    private CompletableFuture<String> fetch(StoredUnit unit) {
        asked.add(unit.path());
        return fetches.computeIfAbsent(unit.path(), _ -> new CompletableFuture<>());
    }

    private CompletableFuture<String> asked(String unit) {
        return Objects.requireNonNull(fetches.get(unit), unit + " was not asked for");
    }

    private void comes(String unit) {
        asked(unit).complete("of " + unit);
    }

    private <T> T await(CompletableFuture<T> answer) {
        simulation.runUntil(answer::isDone, BOUND, "the answer");
        return answer.join();
    }

    private void awaitAsked(String... units) {
        simulation.runUntil(() -> asked.size() >= units.length, BOUND, "the fetches");
        assertThat(asked).containsExactlyInAnyOrder(units);
    }

    @Test
    void fetchesSomeAtATimeFromAPlaceThatDiffersBetweenCheckpoints() {
        awaitAsked("9-4", "9-0", "9-1");
        comes("9-0");
        awaitAsked("9-4", "9-0", "9-1", "9-3");
        List.of("9-4", "9-1", "9-3").forEach(this::comes);
        assertThat(restored).as("one is on its way").isNotDone();
        comes("9-2");
        assertThat(await(restored)).map(Manifest::number).contains(9L);
    }

    @Test
    void goesFurtherBackOnlyWhenNothingOfTheBadCheckpointIsOnItsWay() {
        awaitAsked("9-4", "9-0", "9-1");
        asked("9-0").complete("something else");
        comes("9-4");
        assertThat(asked).as("no more of it").hasSize(AT_ONCE);
        assertThat(restored).isNotDone();
        asked("9-1").completeExceptionally(new LostDataException("gone"));
        awaitAsked("9-4", "9-0", "9-1", "8-3", "8-4", "8-0");
        List.of("8-3", "8-4", "8-0", "8-1", "8-2").forEach(this::comes);
        assertThat(await(restored)).map(Manifest::number).contains(8L);
    }

    private final class Manifests implements CheckpointFiles {
        @Override
        public CompletableFuture<byte[]> read(String path) {
            return CompletableFuture.completedFuture(manifests.getOrDefault(path, new byte[0]));
        }

        @Override
        public CompletableFuture<Void> write(String path, byte[] content) {
            throw new UnsupportedOperationException(path);
        }

        @Override
        public CompletableFuture<Map<String, Long>> list(String prefix) {
            throw new UnsupportedOperationException(prefix);
        }

        @Override
        public CompletableFuture<Void> delete(String path) {
            throw new UnsupportedOperationException(path);
        }
    }
}
