// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The names of the single I/O space and what each stands for. Every change is one atomic step. Writers announce a
 * generation with {@link #begin} before its first block and the announcement ends in the step that publishes it, so that
 * at every moment a generation is announced, or published, or garbage. Futures fail with {@link StorageException}.
 */
public interface FileTable {
    CompletableFuture<Optional<FileInfo>> find(StoragePath path);

    /** The files whose path starts with {@code prefix}, by path. */
    CompletableFuture<List<FileInfo>> list(String prefix);

    /** Announces a generation that is about to be written; the announcement ends with this process's session. */
    CompletableFuture<Void> begin(Generation generation, StoragePath path);

    /**
     * Takes an announcement back, after which the generation can never be published.
     *
     * @return false if it was gone already, in which case the generation may have been published
     */
    CompletableFuture<Boolean> cancel(Generation generation);

    /**
     * Makes an announced file visible under its path and ends the announcement.
     *
     * @return the file whose place it took, which only {@link PutMode#REPLACE} allows
     */
    CompletableFuture<Optional<FileInfo>> publish(FileInfo file, PutMode mode, @Nullable Fence fence);

    /** Changes the nodes of a file that is announced for it, unless it was changed since {@code before} was read. */
    CompletableFuture<Void> relocate(FileInfo before, FileInfo after);

    /** Takes a file away. @return the file; fails with {@link StorageException.NoSuchFile} if there is none */
    CompletableFuture<FileInfo> remove(StoragePath path, @Nullable Fence fence);

    /**
     * The generations that are announced. This answer and those to later questions of this process are at least as new as
     * the moment of asking, whichever server of the table gives them.
     */
    CompletableFuture<Set<Generation>> announced();
}
