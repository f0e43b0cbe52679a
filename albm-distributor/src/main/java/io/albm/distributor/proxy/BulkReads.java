// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Gives a connection's handler a turn before each of its reads, in the same event: time for the kernel to move bulk past
 * this process, so that the read finds only what is left. Asking for a buffer is the one thing that Netty does just then.
 */
final class BulkReads implements RecvByteBufAllocator {
    /** Who has the turn. */
    interface Mover {
        /**
         * The connection is about to be read. Nothing may be flushed, closed or thrown here: the read is made in any case,
         * from the descriptor that the connection has now.
         */
        void beforeRead();
    }

    private final RecvByteBufAllocator buffers;
    private Mover mover;

    private BulkReads(RecvByteBufAllocator buffers, Mover mover) {
        this.buffers = buffers;
        this.mover = mover;
    }

    /** From now on it is that one's turn; once a connection has been read, only in place of another one. */
    static void give(Channel channel, Mover mover) {
        RecvByteBufAllocator buffers = channel.config().getRecvByteBufAllocator();
        if (buffers instanceof BulkReads known) {
            known.mover = mover;
        } else {
            channel.config().setRecvByteBufAllocator(new BulkReads(buffers, mover));
        }
    }

    @Override
    @SuppressWarnings("deprecation") // Netty makes its own handles by this method
    public Handle newHandle() {
        return new TurnGiving((ExtendedHandle) buffers.newHandle());
    }

    @SuppressWarnings("deprecation") // what Netty's sockets ask for
    private final class TurnGiving extends DelegatingHandle implements ExtendedHandle {
        private TurnGiving(ExtendedHandle sizes) {
            super(sizes);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            mover.beforeRead();
            return super.allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return ((ExtendedHandle) delegate()).continueReading(maybeMore);
        }
    }
}
