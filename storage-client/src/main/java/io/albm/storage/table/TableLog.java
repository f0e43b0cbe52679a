// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The log of the table and its snapshots, as their one leader writes them. See {@link TablePaths} for where they lie and
 * {@link FencedStore} for how calls fail.
 */
final class TableLog {
    private static final int DELETES_AT_ONCE = 500;
    private static final SnapshotPointer BEHIND_ALL = new SnapshotPointer("", 9_999_999_999_999_999L, 0, 0);

    private final FencedStore store;
    private final String epoch;

    TableLog(FencedStore store, long epoch) {
        this.store = store;
        this.epoch = Long.toString(epoch);
    }

    /** Tells clients who leads; the first that a leader writes, after which no earlier leader writes any more. */
    CompletableFuture<Void> announce(NodeId leader) {
        return store.put(TablePaths.LEADER, Json.bytes(new Leader(leader)));
    }

    /** Makes a batch durable. */
    CompletableFuture<Void> append(long position, byte[] batch) {
        return store.create(TablePaths.batch(position), batch);
    }

    /** Done if this leader leads still. */
    CompletableFuture<Void> confirm() {
        return store.barrier();
    }

    /** The clients whose sessions live. */
    CompletableFuture<Set<String>> clients() {
        return store.barrier()
                .thenCompose(nothing -> store.children(TablePaths.CLIENTS))
                .thenApply(HashSet::new);
    }

    /** Whether the client's session lives. */
    CompletableFuture<Boolean> isClient(String client) {
        return store.barrier()
                .thenCompose(nothing -> store.read(TablePaths.client(client)))
                .thenApply(node -> node.isPresent());
    }

    /** Where a snapshot stands once it is written. Its name is new even if another leader had got as far. */
    SnapshotPointer pointer(long position, List<byte[]> chunks) {
        long bytes = chunks.stream().mapToLong(chunk -> chunk.length).sum();
        return new SnapshotPointer(TablePaths.number(position) + "-" + epoch, position, chunks.size(), bytes);
    }

    /**
     * Writes a snapshot and then makes it hold.
     *
     * @param version of the pointer until now
     * @return the version of the pointer from now on
     */
    CompletableFuture<Integer> save(SnapshotPointer pointer, List<byte[]> chunks, int version) {
        CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
        for (int i = 0; i < chunks.size(); i++) {
            int chunk = i;
            written = written.thenCompose(
                    nothing -> store.create(TablePaths.chunk(pointer.name(), chunk), chunks.get(chunk)));
        }
        return written.thenCompose(nothing -> store.replace(TablePaths.STATE, Json.bytes(pointer), version));
    }

    /** Deletes what the snapshot has made needless: batches that it contains, and other snapshots. */
    CompletableFuture<Void> clean(SnapshotPointer held) {
        return store.children(TablePaths.LOG)
                .thenCompose(batches -> delete(batches.stream()
                        .filter(batch -> batch.compareTo(TablePaths.number(held.position())) <= 0)
                        .map(batch -> TablePaths.LOG + "/" + batch)
                        .toList()))
                .thenCompose(nothing -> store.children(TablePaths.SNAPSHOTS))
                .thenCompose(snapshots -> deleteSnapshots(snapshots.stream()
                        .filter(name -> !name.equals(held.name()))
                        .map(name -> TablePaths.SNAPSHOTS + "/" + name)
                        .toList()));
    }

    /** Deletes the log and all snapshots, when the table is elsewhere. */
    CompletableFuture<Void> remove() {
        return delete(List.of(TablePaths.STATE)).thenCompose(nothing -> clean(BEHIND_ALL));
    }

    private CompletableFuture<Void> deleteSnapshots(List<String> directories) {
        CompletableFuture<Void> deleted = CompletableFuture.completedFuture(null);
        for (String directory : directories) {
            deleted = deleted.thenCompose(nothing -> store.children(directory)).thenCompose(chunks -> {
                List<String> all = new ArrayList<>();
                chunks.forEach(chunk -> all.add(directory + "/" + chunk));
                all.add(directory);
                return delete(all);
            });
        }
        return deleted;
    }

    private CompletableFuture<Void> delete(List<String> paths) {
        CompletableFuture<Void> deleted = CompletableFuture.completedFuture(null);
        for (int from : IntStream.iterate(0, from -> from < paths.size(), from -> from + DELETES_AT_ONCE)
                .toArray()) {
            List<String> some = paths.subList(from, Math.min(paths.size(), from + DELETES_AT_ONCE));
            deleted = deleted.thenCompose(nothing -> store.deleteAll(some));
        }
        return deleted;
    }
}
