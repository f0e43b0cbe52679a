// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Fence;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The striped store's contract without its machinery: a file shows when it is whole and durable, or never; a writer that
 * dies leaves nothing to see. Bits can rot beyond repair, and the store can be unreachable.
 */
final class SimFiles implements SimStorage {
    private final Simulation simulation;
    private final Map<String, byte[]> files = new TreeMap<>();
    private final Set<String> rotten = new HashSet<>();
    private boolean reachable = true;
    private long changes;

    SimFiles(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Every kind of page, a few of them, and less than one. */
    @Override
    public List<Integer> stateBytes() {
        return List.of(40_000, 14_000, 20);
    }

    @Override
    public CheckpointFiles clientOf(SimNode process, CoordinationStore session, @Nullable Fence fence) {
        return new Client(process);
    }

    @Override
    public void addFaults(FaultPlan plan, Supplier<Optional<String>> expendable) {
        plan.add(3, "storage unreachable", this::goAway)
                .add(2, "bit rot beyond repair", () -> expendable.get().ifPresent(this::rot));
    }

    private void goAway() {
        reachable = false;
        simulation.schedule(
                simulation.between(Duration.ofMillis(200), Duration.ofSeconds(6)), "storage back", this::endFaults);
    }

    @Override
    public void endFaults() {
        reachable = true;
    }

    @Override
    public long changes() {
        return changes;
    }

    @Override
    public Set<String> paths() {
        return files.keySet();
    }

    @Override
    public Optional<byte[]> content(String path) {
        return Optional.ofNullable(files.get(path));
    }

    @Override
    public boolean isRotten(String path) {
        return rotten.contains(path);
    }

    @Override
    public boolean isClean() {
        return true;
    }

    /** Damages one file for good, which parity cannot repair. */
    private void rot(String path) {
        files.computeIfPresent(path, (name, content) -> flipped(content));
        rotten.add(path);
        changes++;
    }

    private byte[] flipped(byte[] content) {
        byte[] damaged = content.clone();
        damaged[simulation.random().nextInt(content.length)] ^= 4;
        return damaged;
    }

    private final class Client implements CheckpointFiles {
        private final SimNode node;

        Client(SimNode node) {
            this.node = node;
        }

        @Override
        public CompletableFuture<Void> write(String path, byte[] content) {
            return request("write " + path, Duration.ofMillis(200), () -> {
                files.put(path, content.clone());
                rotten.remove(path);
                changes++;
                return null;
            });
        }

        @Override
        public CompletableFuture<byte[]> read(String path) {
            return request("read " + path, Duration.ofMillis(50), () -> {
                byte[] content = files.get(path);
                if (content == null) {
                    throw new LostDataException("no file " + path);
                }
                return content.clone();
            });
        }

        @Override
        public CompletableFuture<Map<String, Long>> list(String prefix) {
            return request("list " + prefix, Duration.ofMillis(5), () -> {
                Map<String, Long> listed = new TreeMap<>();
                files.forEach((path, content) -> {
                    if (path.startsWith(prefix)) {
                        listed.put(path, (long) content.length);
                    }
                });
                return listed;
            });
        }

        @Override
        public CompletableFuture<Void> delete(String path) {
            return request("delete " + path, Duration.ofMillis(20), () -> {
                files.remove(path);
                changes++;
                return null;
            });
        }

        /** Takes effect, or not, when the server has it; the client hears of it if it still lives. */
        private <T> CompletableFuture<T> request(String what, Duration most, Supplier<T> effect) {
            CompletableFuture<T> result = new CompletableFuture<>();
            node.after(simulation.between(Duration.ofMillis(1), most), what, () -> {
                if (!reachable) {
                    result.completeExceptionally(new IOException("storage unreachable: " + what));
                    return;
                }
                try {
                    T value = effect.get();
                    node.after(
                            simulation.between(Duration.ofMillis(1), Duration.ofMillis(5)),
                            "done " + what,
                            () -> result.complete(value));
                } catch (LostDataException lost) {
                    result.completeExceptionally(lost);
                }
            });
            return result;
        }
    }
}
