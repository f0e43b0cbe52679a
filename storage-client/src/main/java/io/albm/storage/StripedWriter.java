// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One file on its way into the store as a whole. The caller appends bytes, each time after the future of the time
 * before has completed, and then either commits or aborts: one call at a time, from any thread.
 */
public final class StripedWriter {
    private final FileTable table;
    private final SegmentWriter segment;
    private final StoragePath path;
    private final PutMode mode;
    private final @Nullable Fence fence;

    StripedWriter(StripedFiles files, SegmentWriter segment, StoragePath path, PutMode mode) {
        this.table = files.table();
        this.fence = files.fence();
        this.segment = segment;
        this.path = path;
        this.mode = mode;
    }

    /** As {@link SegmentWriter#nodes}. */
    public List<NodeId> nodes() {
        return segment.nodes();
    }

    /** As {@link SegmentWriter#append}. */
    public CompletableFuture<Void> append(ByteBuffer source) {
        return NamedFiles.named(path.value(), segment.append(source));
    }

    /**
     * Makes the file durable and then visible, in this order.
     *
     * @return the committed file. After a failure nothing of the file is visible and its blocks are removed as far as the
     *     nodes can be reached, except after {@link StorageException.OutcomeUnknown}, when it may be there
     */
    public CompletableFuture<FileInfo> commit() {
        return NamedFiles.named(
                        path.value(),
                        segment.publish((content, crc32c) ->
                                table.ask(new TableCommand.Publish(path.value(), content, crc32c, mode, fence))))
                .thenApply(inode -> FileInfo.of(path.value(), inode));
    }

    /** Gives the file up and removes what was written of it, as far as the nodes can be reached. */
    public CompletableFuture<Void> abort() {
        return segment.abort();
    }
}
