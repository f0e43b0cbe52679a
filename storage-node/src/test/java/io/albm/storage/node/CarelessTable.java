// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockClient;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A file table's client that leaves out a step that others count on. */
sealed interface CarelessTable extends FileTable {
    /** Removes what a publication will free before it is sure to happen. */
    record RemovingFirst(FileTable table, BlockClient blocks) implements CarelessTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return request instanceof TableCommand.Publish publish
                    ? table.ask(new TableQuery.Find(publish.path()))
                            .thenCompose(known -> remove(known.inode()))
                            .exceptionally(nothingToRemove -> null)
                            .thenCompose(nothing -> table.ask(request))
                    : table.ask(request);
        }

        private CompletableFuture<Void> remove(Inode inode) {
            List<Segment> segments =
                    inode.content() == null ? List.of() : inode.content().segments();
            return CompletableFuture.allOf(segments.stream()
                    .flatMap(segment ->
                            segment.nodes().stream().map(node -> blocks.remove(node, segment.generationId(), null)))
                    .toArray(CompletableFuture<?>[]::new));
        }
    }

    /** Announces in another session what was announced in one that is over. */
    record AnnouncingAgain(FileTable table, Supplier<FileTable> again) implements CarelessTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            Segment segment = published(request);
            return table.ask(request)
                    .exceptionallyCompose(failure -> segment != null && !segment.isInline() && isOver(failure)
                            ? askAgain(request, segment, again.get())
                            : CompletableFuture.failedFuture(failure));
        }

        private static boolean isOver(Throwable failure) {
            return SimRetry.cause(failure) instanceof StorageException.WriteExpired
                    || SimRetry.cause(failure) instanceof StorageException.TableUnavailable;
        }

        private static <A extends TableAnswer> CompletableFuture<A> askAgain(
                TableRequest<A> request, Segment segment, FileTable table) {
            return table.ask(new TableCommand.Begin(segment.generation())).thenCompose(begun -> table.ask(request));
        }

        private static @Nullable Segment published(TableRequest<?> request) {
            return switch (request) {
                case TableCommand.Publish publish -> publish.segment();
                case TableCommand.Change change -> change.segment();
                default -> null;
            };
        }
    }

    /** Takes what no file needs for garbage, whoever is writing it. */
    record SweepingWrites(FileTable table) implements CarelessTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return request instanceof TableQuery.Unneeded unneeded
                    ? table.ask(new TableQuery.Files("/", null, TableQuery.MAX_PAGE))
                            .thenApply(files ->
                                    request.answer().cast(new TableAnswer.Generations(unneeded(unneeded, files))))
                    : table.ask(request);
        }

        private static List<String> unneeded(TableQuery.Unneeded asked, TableAnswer.Files files) {
            List<String> needed = files.files().stream()
                    .flatMap(file -> file.content().segments().stream())
                    .map(Segment::generation)
                    .toList();
            return asked.generations().stream()
                    .filter(generation -> !needed.contains(generation))
                    .toList();
        }
    }

    /** Takes for durable what was answered. */
    record NotSyncing(FileTable table) implements CarelessTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return table.ask(request);
        }

        @Override
        public FileTable early() {
            return new NotSyncing(table.early());
        }
    }
}
