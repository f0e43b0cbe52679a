// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.protocol.CheckpointFiles;
import io.albm.checkpoint.protocol.LostDataException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A striped store of which only names and lengths are kept, and what the coordinator itself writes. */
final class SimulatedFiles implements CheckpointFiles {
    private static final Duration ROUND_TRIP = Duration.ofMillis(5);

    private final VirtualTime time;
    private final CoordinatorCost coordinator;
    private final SortedMap<String, Long> lengths = new TreeMap<>();
    private final Map<String, byte[]> contents = new HashMap<>();
    private long requests;
    private long writtenBytes;

    SimulatedFiles(VirtualTime time, CoordinatorCost coordinator) {
        this.time = time;
        this.coordinator = coordinator;
    }

    /** A rank has stored a file. */
    void stored(String path, long bytes) {
        lengths.put(path, bytes);
    }

    @Override
    public CompletableFuture<Void> write(String path, byte[] content) {
        return answer(() -> {
            contents.put(path, content);
            stored(path, content.length);
            writtenBytes += content.length;
            return null;
        });
    }

    @Override
    public CompletableFuture<byte[]> read(String path) {
        return answer(() -> {
            byte[] content = contents.get(path);
            if (content == null) {
                throw new LostDataException("no file " + path);
            }
            return content;
        });
    }

    @Override
    public CompletableFuture<Map<String, Long>> list(String prefix) {
        return answer(() -> new HashMap<>(lengths.subMap(prefix, prefix + Character.MAX_VALUE)));
    }

    @Override
    public CompletableFuture<Void> delete(String path) {
        return answer(() -> {
            contents.remove(path);
            lengths.remove(path);
            return null;
        });
    }

    private <T> CompletableFuture<T> answer(Supplier<T> request) {
        requests++;
        CompletableFuture<T> answered = new CompletableFuture<>();
        time.after(ROUND_TRIP, () -> {
            try {
                T value = request.get();
                coordinator.run(() -> answered.complete(value));
            } catch (LostDataException lost) {
                coordinator.run(() -> answered.completeExceptionally(lost));
            }
        });
        return answered;
    }

    /** Of the coordinator. */
    long requests() {
        return requests;
    }

    /** Of manifests. */
    long writtenBytes() {
        return writtenBytes;
    }
}
