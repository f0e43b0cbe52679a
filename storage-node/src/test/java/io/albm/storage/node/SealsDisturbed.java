// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.Fence;
import io.albm.storage.ForwardingBlocks;
import io.albm.storage.Generation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Passes everything on, and does something of the test's own before each seal, where it may block. */
record SealsDisturbed(BlockClient to, Runnable beforeSeal) implements ForwardingBlocks {
    interface Act {
        void run() throws IOException;
    }

    /** Only before the first seal of all. */
    static SealsDisturbed once(BlockClient to, Act act) {
        AtomicBoolean isDone = new AtomicBoolean();
        return always(to, () -> {
            if (isDone.compareAndSet(false, true)) {
                act.run();
            }
        });
    }

    static SealsDisturbed always(BlockClient to, Act act) {
        return new SealsDisturbed(to, () -> {
            try {
                act.run();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    @Override
    public SealsDisturbed over(BlockClient others) {
        return new SealsDisturbed(others, beforeSeal);
    }

    @Override
    public CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return CompletableFuture.runAsync(beforeSeal).thenCompose(nothing -> to.seal(node, generation, fence));
    }
}
