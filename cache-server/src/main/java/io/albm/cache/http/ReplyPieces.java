// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.HeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * What one reply consists of: goes to the {@link Outbox} when it is the reply's turn and is held back until then.
 *
 * <p><b>Who holds what.</b> A method that answers whether it keeps a piece says who releases it: whoever sends or drops it
 * later, if it does; the caller, if it does not or if it throws. The same holds in {@link Outbox}, so that only
 * {@link Exchange}, where a piece is given away for good, and the moment of its turn have to see to failures. Used again for
 * each reply; confined to its event loop.
 */
final class ReplyPieces {
    /** One that waits for its turn. */
    private sealed interface Piece {
        ReferenceCounted owner();

        boolean sendTo(Outbox outbox);
    }

    private record Part(ByteBuf memory, int from, int length, ReferenceCounted owner) implements Piece {
        @Override
        public boolean sendTo(Outbox outbox) {
            return outbox.part(memory, from, length, owner);
        }
    }

    private record Region(FileRegion owner) implements Piece {
        @Override
        public boolean sendTo(Outbox outbox) {
            return outbox.region(owner);
        }
    }

    private final Replies replies;
    private final Exchange exchange;
    private final Queue<Piece> held = new ArrayDeque<>(0);

    ReplyPieces(Replies replies, Exchange exchange) {
        this.replies = replies;
        this.exchange = exchange;
    }

    /** Whether they go out now. */
    boolean isTurn() {
        return replies.isTurnOf(exchange);
    }

    void head(HeadWriter head, ByteBufAllocator allocator) {
        if (isTurn()) {
            replies.outbox().bytes(head);
        } else {
            giveAway(head.toBuffer(allocator, 0));
        }
    }

    /** Sends bytes that nobody else holds. */
    void giveAway(ByteBuf bytes) {
        boolean kept = false;
        try {
            kept = part(bytes, bytes.readerIndex(), bytes.readableBytes(), bytes);
        } finally {
            if (!kept) {
                bytes.release();
            }
        }
    }

    /** Sends a part of memory. Says whether its owner is kept, to be released when it was sent. */
    boolean part(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        return isTurn()
                ? replies.outbox().part(memory, from, length, owner)
                : held.add(new Part(memory, from, length, owner));
    }

    /** Sends a part of a file, and says whether it is kept. */
    boolean region(FileRegion region) {
        return isTurn() ? replies.outbox().region(region) : held.add(new Region(region));
    }

    /** Sends what was held back. */
    void turn() {
        for (Piece piece = held.poll(); piece != null; piece = held.poll()) {
            boolean kept = false;
            try {
                kept = piece.sendTo(replies.outbox());
            } finally {
                if (!kept) {
                    piece.owner().release();
                }
            }
        }
    }

    /** Lets go of what was held back. */
    void discard() {
        for (Piece piece = held.poll(); piece != null; piece = held.poll()) {
            piece.owner().release();
        }
    }
}
