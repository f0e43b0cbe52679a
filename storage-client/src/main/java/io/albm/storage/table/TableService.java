// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameHandler;
import io.albm.core.wire.Peer;
import io.albm.core.wire.Reply;
import java.util.concurrent.CompletionStage;

/** Serves a table's leader in frames; a node that does not lead refuses. */
public final class TableService implements FrameHandler {
    private final TableLeader leader;

    public TableService(TableLeader leader) {
        this.leader = leader;
    }

    @Override
    public CompletionStage<Reply> handle(Frame frame, Peer peer) {
        try {
            return leader.submit(TableFrames.call(frame)).thenApply(TableFrames::reply);
        } finally {
            frame.release();
        }
    }
}
