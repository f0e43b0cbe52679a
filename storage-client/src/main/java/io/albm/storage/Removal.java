// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Removes the blocks of a generation that nobody can find any more. What a node keeps because it is away, its scrub removes. */
final class Removal {
    private Removal() {}

    /** Never fails. */
    static CompletableFuture<Void> of(BlockClient blocks, List<Segment> segments, @Nullable Fence fence) {
        return CompletableFuture.allOf(segments.stream()
                .map(segment -> of(blocks, segment.nodes(), segment.generationId(), fence))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Never fails. */
    static CompletableFuture<Void> of(
            BlockClient blocks, List<NodeId> nodes, Generation generation, @Nullable Fence fence) {
        return CompletableFuture.allOf(nodes.stream()
                .map(node -> blocks.remove(node, generation, fence).exceptionally(away -> null))
                .toArray(CompletableFuture<?>[]::new));
    }
}
