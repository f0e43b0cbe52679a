// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The file table for those who know files by their paths: its refusals are {@link StorageException}s that name the path. */
final class NamedFiles {
    private final FileTable table;

    NamedFiles(FileTable table) {
        this.table = table;
    }

    /** The regular file of a path. */
    CompletableFuture<Optional<FileInfo>> find(StoragePath path) {
        return named(path.value(), table.ask(new TableQuery.Find(path.value())))
                .thenApply(known -> Optional.of(known.inode())
                        .filter(Inode::isRegular)
                        .map(inode -> FileInfo.of(path.value(), inode)))
                .exceptionallyCompose(failure -> StorageException.unwrap(failure) instanceof StorageException.NoSuchFile
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** The file as the table knows it now, whatever its name; empty if it is gone. */
    CompletableFuture<Optional<FileInfo>> again(FileInfo file) {
        return table.ask(new TableQuery.Get(file.inode()))
                .thenApply(known -> Optional.of(FileInfo.of(file.path(), known.inode())))
                .exceptionallyCompose(failure -> StorageException.unwrap(failure) instanceof TableRefusal gone
                                && gone.reason() == TableRefusal.Reason.STALE
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** The regular files whose path starts with {@code prefix}, by path. */
    CompletableFuture<List<FileInfo>> list(String prefix) {
        return named(prefix, page(prefix, null, new ArrayList<>()));
    }

    private CompletableFuture<List<FileInfo>> page(String prefix, @Nullable String after, List<FileInfo> found) {
        return table.ask(new TableQuery.Files(prefix, after, TableQuery.MAX_PAGE))
                .thenCompose(page -> {
                    found.addAll(page.files());
                    return page.more()
                            ? page(prefix, found.getLast().path(), found)
                            : CompletableFuture.completedFuture(found);
                });
    }

    /** The answer to a request about a path, with a failure that names it. */
    static <T> CompletableFuture<T> named(String path, CompletableFuture<T> answer) {
        return answer.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                StorageException.unwrap(failure) instanceof TableRefusal refusal
                        ? translate(path, refusal)
                        : StorageException.unwrap(failure)));
    }

    private static StorageException translate(String path, TableRefusal refusal) {
        return switch (refusal.reason()) {
            case NO_ENTRY, STALE -> new StorageException.NoSuchFile(path);
            case EXISTS -> new StorageException.FileExists(path);
            case CHANGED -> new StorageException.FileChanged(path);
            case NOT_ANNOUNCED -> new StorageException.WriteExpired(path);
            case FENCED -> new StorageException.Fenced(String.valueOf(refusal.getMessage()));
            case NOT_DIRECTORY,
                    IS_DIRECTORY,
                    NOT_EMPTY,
                    INVALID,
                    NAME_TOO_LONG,
                    TOO_MANY_LINKS,
                    NO_ATTRIBUTE,
                    FRAGMENTED,
                    FULL,
                    NO_ROOM,
                    LOCKED,
                    NO_LOCKS,
                    LOCK_LOST,
                    LOST -> new StorageException.Refused(String.valueOf(refusal.getMessage()));
        };
    }
}
