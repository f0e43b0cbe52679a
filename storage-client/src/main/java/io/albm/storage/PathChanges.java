// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Changes of names for those who know files by their paths. Refusals are {@link StorageException}s that name the path. */
final class PathChanges {
    private static final int DIRECTORY = 0040755;
    private static final String ROOT = "/";

    private final FileTable table;

    PathChanges(FileTable table) {
        this.table = table;
    }

    /**
     * Gives a file or directory another path. A directory that has that path takes it in, under the name it had.
     *
     * @return where it is now, and what the one that had that path leaves
     */
    CompletableFuture<Renamed> rename(StoragePath from, StoragePath to, PutMode mode) {
        return target(from, to).thenCompose(target -> rename(from, target, how(mode)));
    }

    /** A path that was given, and the segments that nobody needs any more. */
    record Renamed(StoragePath path, List<Segment> freed) {}

    private static TableCommand.Renaming how(PutMode mode) {
        return switch (mode) {
            case CREATE -> TableCommand.Renaming.NO_REPLACE;
            case REPLACE -> TableCommand.Renaming.REPLACE;
        };
    }

    private CompletableFuture<StoragePath> target(StoragePath from, StoragePath to) {
        return inode(to.value())
                .thenApply(there -> there.isDirectory() ? new StoragePath(to + "/" + from.name()) : to)
                .exceptionallyCompose(failure -> StorageException.unwrap(failure) instanceof StorageException.NoSuchFile
                        ? CompletableFuture.completedFuture(to)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Renamed> rename(StoragePath from, StoragePath to, TableCommand.Renaming how) {
        return inode(from.value())
                .thenCompose(moved -> parent(from))
                .thenCompose(parent -> parent(to)
                        .thenCompose(newParent -> NamedFiles.named(
                                to.value(),
                                table.ask(new TableCommand.Rename(
                                        parent, from.name(), newParent, to.name(), how, false)))))
                .thenApply(freed -> new Renamed(to, freed.freed()));
    }

    /** Makes a directory, in one that is there. */
    CompletableFuture<Void> makeDirectory(StoragePath path) {
        return parent(path)
                .thenCompose(parent -> NamedFiles.named(
                        path.value(), table.ask(new TableCommand.Make(parent, path.name(), DIRECTORY, 0, 0, 0, null))))
                .thenAccept(made -> {});
    }

    /** Makes a directory and those above it, as far as they are not there. */
    CompletableFuture<Void> makeDirectories(StoragePath path) {
        List<String> names = path.segments();
        return Lanes.run(
                names.size(),
                1,
                depth -> makeIfMissing(new StoragePath(ROOT + String.join("/", names.subList(0, (int) depth + 1)))));
    }

    private CompletableFuture<Void> makeIfMissing(StoragePath path) {
        return makeDirectory(path)
                .exceptionallyCompose(failure -> StorageException.unwrap(failure) instanceof StorageException.FileExists
                        ? inode(path.value())
                                .thenCompose(there -> there.isDirectory()
                                        ? CompletableFuture.completedFuture(null)
                                        : CompletableFuture.failedFuture(failure))
                        : CompletableFuture.failedFuture(failure));
    }

    /** Removes an empty directory. */
    CompletableFuture<Void> removeDirectory(StoragePath path) {
        return parent(path)
                .thenCompose(parent -> NamedFiles.named(
                        path.value(), table.ask(new TableCommand.RemoveDirectory(parent, path.name()))))
                .thenAccept(removed -> {});
    }

    private CompletableFuture<Long> parent(StoragePath path) {
        int slash = path.value().lastIndexOf('/');
        return inode(slash == 0 ? ROOT : path.value().substring(0, slash)).thenApply(Inode::number);
    }

    private CompletableFuture<Inode> inode(String path) {
        return NamedFiles.named(path, table.ask(new TableQuery.Find(path))).thenApply(TableAnswer.Known::inode);
    }
}
