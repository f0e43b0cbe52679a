// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Credit;
import io.albm.storage.StorageRequest;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A block that has come and is in memory until it is written, and what it has of the node's credit, which goes with that. */
final class IncomingBlock {
    private final StorageRequest.Write request;
    private final ByteBuf body;
    private final CreditService credits;
    private final int cost;
    private final AtomicBoolean isHeld = new AtomicBoolean(true);

    /** Takes over one reference of the body. */
    IncomingBlock(StorageRequest.Write request, ByteBuf body, CreditService credits) {
        this.request = request;
        this.body = body;
        this.credits = credits;
        this.cost = Credit.cost(body.readableBytes());
    }

    int cost() {
        return cost;
    }

    /** Writes the block and frees its memory. @return what the sender is granted with that, in bytes */
    int store(BlockStore store) throws IOException {
        store.write(request.block(), request.mode(), request.fence(), body);
        free();
        return credits.written(request.sender(), cost);
    }

    /** Frees the memory of a block that was not written; does nothing if it was. */
    void drop() {
        if (free()) {
            credits.end(request.sender(), cost);
        }
    }

    private boolean free() {
        boolean isFirst = isHeld.compareAndSet(true, false);
        if (isFirst) {
            body.release();
        }
        return isFirst;
    }
}
