// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Brings a machine back: the snapshot that holds, then every batch of the log behind it, in order. Whatever is missing or
 * cannot be read fails it with an {@link IllegalStateException}; nothing is skipped.
 */
final class TableRecovery {
    /** Nodes that are read at a time. */
    private static final int WINDOW = 64;

    private final FencedStore store;
    private final long maxInodes;

    TableRecovery(FencedStore store, long maxInodes) {
        this.store = store;
        this.maxInodes = maxInodes;
    }

    /**
     * What was found.
     *
     * @param version of the pointer; negative if there is none
     * @param position of the last batch
     * @param logBytes in batches behind the snapshot
     */
    record Recovered(TableMachine machine, SnapshotPointer snapshot, int version, long position, long logBytes) {
        /** With one more batch, which the machine has applied. */
        Recovered extendedBy(byte[] batch) {
            return new Recovered(machine, snapshot, version, position + 1, logBytes + batch.length);
        }
    }

    CompletableFuture<Recovered> recover() {
        return store.read(TablePaths.STATE)
                .thenCompose(found -> found.isEmpty()
                        ? replay(new Recovered(new TableMachine(maxInodes), SnapshotPointer.NONE, -1, 0, 0))
                        : restore(found.get()));
    }

    private CompletableFuture<Recovered> restore(Versioned state) {
        SnapshotPointer pointer =
                read(TablePaths.STATE, new String(state.data(), StandardCharsets.UTF_8), SnapshotPointer.class);
        List<String> chunks = IntStream.range(0, pointer.chunks())
                .mapToObj(chunk -> TablePaths.chunk(pointer.name(), chunk))
                .toList();
        return readAll(chunks, 0, new ArrayList<>())
                .thenCompose(bytes -> replay(new Recovered(
                        TableSnapshot.read(maxInodes, bytes), pointer, state.version(), pointer.position(), 0)));
    }

    private CompletableFuture<List<byte[]>> readAll(List<String> paths, int from, List<byte[]> read) {
        if (from >= paths.size()) {
            return CompletableFuture.completedFuture(read);
        }
        int to = Math.min(paths.size(), from + WINDOW);
        return readSome(paths.subList(from, to)).thenCompose(some -> {
            read.addAll(some);
            return readAll(paths, to, read);
        });
    }

    private CompletableFuture<Recovered> replay(Recovered start) {
        return store.children(TablePaths.LOG)
                .thenCompose(names -> replay(
                        start,
                        names.stream()
                                .map(Long::parseLong)
                                .filter(position -> position > start.position())
                                .toList()));
    }

    /** Window by window, since a log need not fit in memory. */
    private CompletableFuture<Recovered> replay(Recovered so, List<Long> positions) {
        if (positions.isEmpty()) {
            return CompletableFuture.completedFuture(so);
        }
        List<Long> some = positions.subList(0, Math.min(positions.size(), WINDOW));
        return readSome(some.stream().map(TablePaths::batch).toList())
                .thenCompose(batches ->
                        replay(applied(so, some, batches), positions.subList(some.size(), positions.size())));
    }

    private static Recovered applied(Recovered so, List<Long> positions, List<byte[]> batches) {
        Recovered now = so;
        for (int i = 0; i < batches.size(); i++) {
            if (positions.get(i) != now.position() + 1) {
                throw new IllegalStateException("the table's log has a gap: after batch " + now.position() + " comes "
                        + positions.get(i) + " in " + TablePaths.LOG);
            }
            now = now.extendedBy(batches.get(i));
            apply(now.machine(), TablePaths.batch(now.position()), batches.get(i));
        }
        return now;
    }

    private static void apply(TableMachine machine, String path, byte[] batch) {
        new String(batch, StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> machine.apply(read(path, line, LogEntry.class)));
    }

    private CompletableFuture<List<byte[]>> readSome(List<String> paths) {
        List<CompletableFuture<byte[]>> reads = paths.stream()
                .map(path -> store.read(path).thenApply(found -> present(path, found)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        nothing -> reads.stream().map(CompletableFuture::join).toList());
    }

    private static byte[] present(String path, Optional<Versioned> found) {
        return found.orElseThrow(() -> new IllegalStateException("the table's node " + path + " is missing"))
                .data();
    }

    private static <T> T read(String path, String json, Class<T> type) {
        try {
            return Json.read(json, type);
        } catch (JsonException e) {
            throw new IllegalStateException("the table's node " + path + " cannot be read: " + e.getMessage(), e);
        }
    }
}
