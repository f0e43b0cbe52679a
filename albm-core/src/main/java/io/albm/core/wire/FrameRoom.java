// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says where the socket's next bytes go: straight into the frame that is being gathered, if there is one, so that they are
 * not copied once more; otherwise into a buffer of their own. For one connection.
 */
final class FrameRoom extends DefaultMaxMessagesRecvByteBufAllocator {

    /** As much as the pool keeps at hand for a thread; of a large frame, this is what is copied. */
    private static final int OWN_BYTES = 32 * 1024;

    /** Reads of one event, as long as each fills its buffer: the first bytes of a frame, then the rest of it. As Netty's own. */
    private static final int READS = 16;

    private final Supplier<@Nullable ByteBuf> frame;

    /** @param frame gives an empty buffer for the rest of the frame, or null; the receiver releases it */
    FrameRoom(Supplier<@Nullable ByteBuf> frame) {
        super(READS);
        this.frame = frame;
    }

    @Override
    @SuppressWarnings("deprecation") // the only form there is
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                var room = frame.get();
                return room == null ? super.allocate(allocator) : room;
            }

            @Override
            public int guess() {
                return OWN_BYTES;
            }
        };
    }
}
