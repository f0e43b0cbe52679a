// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.core.cluster.CoordinationException.NoSuchNode;
import io.albm.core.cluster.CoordinationException.NodeExists;
import io.albm.core.cluster.CoordinationException.VersionConflict;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A coordination store in memory, without faults, that counts what is written and refuses what ZooKeeper would. */
final class SimulatedRecords implements CoordinationStore {
    /** As of {@link CoordinationStore#commit}. */
    static final int MOST_BYTES = 900 * 1024;

    private static final Duration ROUND_TRIP = Duration.ofMillis(2);

    private final VirtualTime time;
    private final CoordinatorCost coordinator;
    private Map<String, Versioned> nodes = new TreeMap<>();
    private long writtenBytes;
    private int largestBytes;

    SimulatedRecords(VirtualTime time, CoordinatorCost coordinator) {
        this.time = time;
        this.coordinator = coordinator;
    }

    @Override
    public CompletableFuture<Optional<Versioned>> read(String path) {
        return answer(() -> Optional.ofNullable(nodes.get(path)));
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        String prefix = path + "/";
        return answer(() -> nodes.keySet().stream()
                .filter(child -> child.startsWith(prefix) && child.indexOf('/', prefix.length()) < 0)
                .map(child -> child.substring(prefix.length()))
                .toList());
    }

    @Override
    public CompletableFuture<Void> commit(List<Operation> operations) {
        return answer(() -> {
            apply(operations);
            return null;
        });
    }

    /** Nobody else changes anything. */
    @Override
    public Subscription watch(String path, Runnable onChange) {
        return () -> {};
    }

    private void apply(List<Operation> operations) {
        Map<String, Versioned> next = new HashMap<>(nodes);
        int bytes = 0;
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.Create(String path, byte[] data, boolean _) -> {
                    if (next.putIfAbsent(path, new Versioned(data, 0)) != null) {
                        throw new NodeExists(path);
                    }
                    bytes += data.length;
                }
                case Operation.Set(String path, byte[] data, int version) -> {
                    next.put(
                            path,
                            new Versioned(data, checked(next, path, version).version() + 1));
                    bytes += data.length;
                }
                case Operation.Delete(String path, int version) -> {
                    checked(next, path, version);
                    next.remove(path);
                }
                case Operation.Check(String path, int version) -> checked(next, path, version);
            }
        }
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a transaction of " + bytes + " bytes, at most " + MOST_BYTES);
        }
        nodes = new TreeMap<>(next);
        writtenBytes += bytes;
        largestBytes = Math.max(largestBytes, bytes);
    }

    private static Versioned checked(Map<String, Versioned> nodes, String path, int version) {
        Versioned node = nodes.get(path);
        if (node == null) {
            throw new NoSuchNode(path);
        }
        if (version != Operation.ANY && version != node.version()) {
            throw new VersionConflict(path);
        }
        return node;
    }

    private <T> CompletableFuture<T> answer(Supplier<T> request) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        time.after(ROUND_TRIP, () -> {
            try {
                T value = request.get();
                coordinator.run(() -> answered.complete(value));
            } catch (RuntimeException refused) {
                coordinator.run(() -> answered.completeExceptionally(refused));
            }
        });
        return answered;
    }

    /** In all transactions. */
    long writtenBytes() {
        return writtenBytes;
    }

    /** In one transaction. */
    int largestBytes() {
        return largestBytes;
    }
}
