// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameHandler;
import io.albm.core.wire.Peer;
import io.albm.core.wire.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Serves a node's part in the table in frames: its leader, which refuses while it does not lead, and its tail. */
final class TableService implements FrameHandler {
    private final TableLeader leader;
    private final TableTail tail;

    TableService(TableLeader leader, TableTail tail) {
        this.leader = leader;
        this.tail = tail;
    }

    @Override
    public CompletionStage<Reply> handle(Frame frame, Peer peer) {
        try {
            return switch (frame.type()) {
                case TailFrames.APPEND -> done(TailFrames.reply(tail.append(TailFrames.append(frame))));
                case TailFrames.COLLECT -> done(TailFrames.reply(tail.collect(TailFrames.collect(frame))));
                default -> leader.submit(TableFrames.call(frame)).thenApply(TableFrames::reply);
            };
        } finally {
            frame.release();
        }
    }

    private static CompletionStage<Reply> done(Reply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
