// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What {@link StripedStore} does with nodes for those who may block, for simulations, where nobody may. */
public final class SimNodeChanges {
    private SimNodeChanges() {}

    /** See {@link StripedStore#replace}. */
    public static CompletableFuture<ScrubReport> replace(StripedFiles files, NodeId node, @Nullable NodeId onto) {
        return new NodeChanges(files).replace(node, onto, progress -> {});
    }

    /** See {@link StripedStore#fill}. */
    public static CompletableFuture<ScrubReport> fill(StripedFiles files, NodeId node) {
        return new NodeChanges(files).fill(node, progress -> {});
    }
}
