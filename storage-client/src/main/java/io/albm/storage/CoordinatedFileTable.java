// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file table in the coordination store (docs/decisions/020): one node per file, one ephemeral node per write under
 * way, one node per fence.
 *
 * <pre>
 * /storage/files/&lt;escaped path&gt;    a {@link FileInfo} in JSON
 * /storage/writes/&lt;generation&gt;     ephemeral: the path that is being written
 * /storage/fences/&lt;scope&gt;          the highest epoch seen, as text
 * /storage/barrier                 written before a question whose answer must not be old
 * </pre>
 *
 * <p>Publishing deletes the writer's ephemeral node in the same transaction. So a writer whose session is over, be it
 * paused or cut off, cannot publish any more; whoever finds neither the announcement nor the file may remove the blocks.
 * A transaction whose outcome is unknown is looked up before anything is decided: the writer's own ephemeral node tells
 * whether it was applied.
 */
public final class CoordinatedFileTable implements FileTable {
    private static final String FILES = "/storage/files";
    private static final String WRITES = "/storage/writes";
    private static final String FENCES = "/storage/fences";
    private static final String BARRIER = "/storage/barrier";
    private static final byte[] NOTHING = {};
    /** Attempts at a change that others interfere with, or whose outcome was unknown. */
    private static final int MAX_ATTEMPTS = 10;

    private static final int LIST_LANES = 64;

    private final CoordinationStore store;

    public CoordinatedFileTable(CoordinationStore store) {
        this.store = store;
    }

    private record Entry(FileInfo file, int version) {}

    @Override
    public CompletableFuture<Optional<FileInfo>> find(StoragePath path) {
        return translated(path.value(), entry(path).thenApply(entry -> entry.map(Entry::file)));
    }

    @Override
    public CompletableFuture<List<FileInfo>> list(String prefix) {
        return translated(
                "file list",
                store.children(FILES)
                        .thenCompose(names -> findAll(names.stream()
                                .map(StoragePath::unescape)
                                .filter(path -> path.value().startsWith(prefix))
                                .sorted()
                                .toList())));
    }

    private CompletableFuture<List<FileInfo>> findAll(List<StoragePath> paths) {
        ConcurrentLinkedQueue<FileInfo> found = new ConcurrentLinkedQueue<>();
        return Lanes.run(
                        paths.size(),
                        LIST_LANES,
                        index -> entry(paths.get((int) index))
                                .thenAccept(entry -> entry.ifPresent(e -> found.add(e.file()))))
                .thenApply(nothing -> found.stream()
                        .sorted((a, b) -> a.path().compareTo(b.path()))
                        .toList());
    }

    @Override
    public CompletableFuture<Void> begin(Generation generation, StoragePath path) {
        byte[] data = path.value().getBytes(StandardCharsets.UTF_8);
        return translated(path.value(), store.commit(List.of(new Operation.Create(writeNode(generation), data, true))));
    }

    @Override
    public CompletableFuture<Boolean> cancel(Generation generation) {
        return translated(
                "write " + generation,
                store.commit(List.of(new Operation.Delete(writeNode(generation), Operation.ANY)))
                        .thenApply(nothing -> true)
                        .exceptionallyCompose(
                                failure -> StorageException.unwrap(failure) instanceof CoordinationException.NoSuchNode
                                        ? CompletableFuture.completedFuture(false)
                                        : CompletableFuture.failedFuture(failure)));
    }

    @Override
    public CompletableFuture<Optional<FileInfo>> publish(FileInfo file, PutMode mode, @Nullable Fence fence) {
        return translated(file.path(), new Publication(file, mode, fence).attempt(1));
    }

    @Override
    public CompletableFuture<FileInfo> remove(StoragePath path, @Nullable Fence fence) {
        return translated(path.value(), remove(path, fence, 1));
    }

    private CompletableFuture<FileInfo> remove(StoragePath path, @Nullable Fence fence, int attempt) {
        return entry(path).thenCompose(found -> {
            Entry entry = found.orElse(null);
            if (entry == null) {
                return CompletableFuture.failedFuture(new StorageException.NoSuchFile(path));
            }
            return fenceOperations(fence)
                    .thenCompose(operations -> {
                        operations.add(new Operation.Delete(fileNode(path), entry.version()));
                        return store.commit(operations);
                    })
                    .thenApply(nothing -> entry.file())
                    .exceptionallyCompose(failure -> retryable(failure, attempt)
                            ? afterUnclear(failure, removedMeanwhile(path, entry, fence, attempt))
                            : CompletableFuture.failedFuture(failure));
        });
    }

    /** After a removal whose outcome is unknown: an entry that is gone, or is another file's, was removed. */
    private CompletableFuture<FileInfo> removedMeanwhile(
            StoragePath path, Entry entry, @Nullable Fence fence, int attempt) {
        return entry(path)
                .thenCompose(now ->
                        now.filter(e -> e.file().sameGeneration(entry.file())).isPresent()
                                ? remove(path, fence, attempt + 1)
                                : CompletableFuture.completedFuture(entry.file()));
    }

    @Override
    public CompletableFuture<Void> relocate(FileInfo before, FileInfo after) {
        StoragePath path = before.storagePath();
        return translated(
                path.value(),
                entry(path)
                        .thenCompose(found -> found.filter(e -> e.file().equals(before))
                                .map(e -> store.commit(List.of(
                                        new Operation.Delete(writeNode(after.generationId()), Operation.ANY),
                                        new Operation.Set(fileNode(path), Json.bytes(after), e.version()))))
                                .orElseGet(
                                        () -> CompletableFuture.failedFuture(new StorageException.FileChanged(path)))));
    }

    @Override
    public CompletableFuture<Set<Generation>> announced() {
        return translated(
                "list of writes",
                barrier()
                        .thenCompose(nothing -> store.children(WRITES))
                        .thenApply(
                                names -> names.stream().map(Generation::parse).collect(Collectors.toSet())));
    }

    /** After this, reads see all that any process had committed before: a server may lag behind, but not behind our own write. */
    private CompletableFuture<Void> barrier() {
        return store.commit(List.of(new Operation.Set(BARRIER, NOTHING, Operation.ANY)))
                .exceptionallyCompose(
                        failure -> StorageException.unwrap(failure) instanceof CoordinationException.NoSuchNode
                                ? store.commit(List.of(new Operation.Create(BARRIER, NOTHING, false)))
                                : CompletableFuture.failedFuture(failure));
    }

    /** One file's way into the table, tried again while others change the same entry. */
    private final class Publication {
        private final FileInfo file;
        private final StoragePath path;
        private final PutMode mode;
        private final @Nullable Fence fence;

        Publication(FileInfo file, PutMode mode, @Nullable Fence fence) {
            this.file = file;
            this.path = file.storagePath();
            this.mode = mode;
            this.fence = fence;
        }

        CompletableFuture<Optional<FileInfo>> attempt(int attempt) {
            return entry(path).thenCompose(found -> attempt(found, attempt));
        }

        private CompletableFuture<Optional<FileInfo>> attempt(Optional<Entry> found, int attempt) {
            if (found.filter(e -> e.file().sameGeneration(file)).isPresent()) {
                // An earlier attempt was applied although its answer was lost; what it replaced is left to the scrub.
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (found.isPresent() && mode == PutMode.CREATE) {
                return CompletableFuture.failedFuture(new StorageException.FileExists(path));
            }
            return fenceOperations(fence)
                    .thenCompose(operations -> {
                        operations.add(new Operation.Delete(writeNode(file.generationId()), Operation.ANY));
                        operations.add(change(found));
                        return store.commit(operations);
                    })
                    .thenApply(nothing -> found.map(Entry::file))
                    .exceptionallyCompose(failure -> retryable(failure, attempt)
                            ? afterUnclear(failure, attempt(attempt + 1))
                            : appliedBefore(failure));
        }

        /** A missing announcement may have been deleted by an attempt of ours whose answer was lost. */
        private CompletableFuture<Optional<FileInfo>> appliedBefore(Throwable failure) {
            if (!(StorageException.unwrap(failure) instanceof CoordinationException.NoSuchNode)) {
                return CompletableFuture.failedFuture(failure);
            }
            return entry(path).thenApply(now -> {
                if (now.filter(e -> e.file().sameGeneration(file)).isEmpty()) {
                    throw new CompletionException(StorageException.unwrap(failure));
                }
                return Optional.empty();
            });
        }

        private Operation change(Optional<Entry> found) {
            byte[] data = Json.bytes(file);
            return found.<Operation>map(e -> new Operation.Set(fileNode(path), data, e.version()))
                    .orElseGet(() -> new Operation.Create(fileNode(path), data, false));
        }
    }

    /** A later attempt that changed nothing does not say what the unclear one before it did. */
    private static <T> CompletableFuture<T> afterUnclear(Throwable earlier, CompletableFuture<T> later) {
        return later.exceptionallyCompose(
                failure -> StorageException.unwrap(failure) instanceof CoordinationException.Unavailable
                        ? CompletableFuture.failedFuture(StorageException.unwrap(earlier))
                        : CompletableFuture.failedFuture(failure));
    }

    private static boolean retryable(Throwable failure, int attempt) {
        return attempt < MAX_ATTEMPTS
                && StorageException.unwrap(failure) instanceof CoordinationException coordination
                && switch (coordination) {
                    case CoordinationException.VersionConflict conflict -> true;
                    case CoordinationException.NodeExists exists -> true;
                    case CoordinationException.OutcomeUnknown unknown -> true;
                    case CoordinationException.NoSuchNode gone -> false;
                    case CoordinationException.Unavailable unavailable -> false;
                };
    }

    /** What a transaction must hold so that it fails if the fence's scope has seen a higher epoch. */
    private CompletableFuture<List<Operation>> fenceOperations(@Nullable Fence fence) {
        if (fence == null) {
            return CompletableFuture.completedFuture(new ArrayList<>());
        }
        String node = FENCES + "/" + fence.scope();
        return store.read(node).thenApply(found -> {
            List<Operation> operations = new ArrayList<>();
            operations.add(found.map(seen -> fenceOperation(node, fence, seen))
                    .orElseGet(() -> new Operation.Create(node, epochText(fence), false)));
            return operations;
        });
    }

    private static Operation fenceOperation(String node, Fence fence, Versioned seen) {
        long highest = Long.parseLong(new String(seen.data(), StandardCharsets.UTF_8));
        if (highest > fence.epoch()) {
            throw new CompletionException(new StorageException.Fenced(
                    "scope " + fence.scope() + " is at epoch " + highest + ", this writer at " + fence.epoch()));
        }
        return highest == fence.epoch()
                ? new Operation.Check(node, seen.version())
                : new Operation.Set(node, epochText(fence), seen.version());
    }

    private static byte[] epochText(Fence fence) {
        return Long.toString(fence.epoch()).getBytes(StandardCharsets.UTF_8);
    }

    private CompletableFuture<Optional<Entry>> entry(StoragePath path) {
        return store.read(fileNode(path))
                .thenApply(found -> found.map(
                        versioned -> new Entry(Json.read(versioned.data(), FileInfo.class), versioned.version())));
    }

    private static String fileNode(StoragePath path) {
        return FILES + "/" + path.escaped();
    }

    private static String writeNode(Generation generation) {
        return WRITES + "/" + generation;
    }

    /** The same result, with the store's failures in the words of the file table. */
    private static <T> CompletableFuture<T> translated(String what, CompletableFuture<T> result) {
        return result.handle((value, failure) -> failure == null
                        ? CompletableFuture.completedFuture(value)
                        : CompletableFuture.<T>failedFuture(translate(what, StorageException.unwrap(failure))))
                .thenCompose(Function.identity());
    }

    private static Throwable translate(String what, Throwable failure) {
        if (!(failure instanceof CoordinationException coordination)) {
            return failure;
        }
        String reason = Objects.requireNonNullElse(coordination.getMessage(), "no reason given");
        return switch (coordination) {
            case CoordinationException.OutcomeUnknown unknown -> new StorageException.OutcomeUnknown(what, reason);
            case CoordinationException.NoSuchNode gone -> new StorageException.WriteExpired(what);
            case CoordinationException.NodeExists exists -> new StorageException.Contended(what);
            case CoordinationException.VersionConflict conflict -> new StorageException.Contended(what);
            case CoordinationException.Unavailable unavailable -> new StorageException.TableUnavailable(reason);
        };
    }
}
