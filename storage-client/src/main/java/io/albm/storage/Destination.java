// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a {@link StripedWriter}'s content becomes. */
sealed interface Destination {
    /** The change that makes it so. */
    TableCommand<TableAnswer.Published> commit(Content content);

    /** As people know it. */
    String name();

    /** The answer to the commit, with a failure in the caller's terms. */
    default <T> CompletableFuture<T> translated(CompletableFuture<T> answer) {
        return answer;
    }

    /** The file of a path. */
    record Named(StoragePath path, PutMode mode, @Nullable Fence fence) implements Destination {
        @Override
        public TableCommand.Publish commit(Content content) {
            return new TableCommand.Publish(path.value(), content, mode, fence);
        }

        @Override
        public String name() {
            return path.value();
        }

        @Override
        public <T> CompletableFuture<T> translated(CompletableFuture<T> answer) {
            return NamedFiles.named(path.value(), answer);
        }
    }

    /** The next content of an inode. */
    record Rewritten(Inode inode) implements Destination {
        @Override
        public TableCommand.Store commit(Content content) {
            Content base = inode.content();
            return new TableCommand.Store(inode.number(), content, base == null ? null : base.generation(), false);
        }

        @Override
        public String name() {
            return "inode " + inode.number();
        }
    }
}
