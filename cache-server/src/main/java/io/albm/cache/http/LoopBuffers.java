// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Two buffers that serve one event after the other: the bytes that come in and the replies that go out are both in the
 * processor's cache still. Holds at most one buffer of {@value #BYTES} bytes for each. Confined to its event loop.
 */
final class LoopBuffers implements AutoCloseable {
    static final int BYTES = 16 << 10;

    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf input;
    private @Nullable ByteBuf output;

    LoopBuffers(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** An empty buffer to read into, the same for all until {@link #inputIsRead}. */
    ByteBuf input() {
        ByteBuf empty = input == null ? allocator.directBuffer(BYTES, BYTES) : input;
        input = empty;
        return empty;
    }

    /** What was read is dealt with; if somebody keeps a part of it, the buffer is his. */
    void inputIsRead() {
        ByteBuf used = input;
        if (used != null && used.refCnt() > 1) {
            used.release();
            input = null;
        } else if (used != null) {
            used.clear();
        }
    }

    /** An empty buffer for replies. */
    ByteBuf room(int leastBytes) {
        ByteBuf kept = output;
        if (kept != null && leastBytes <= BYTES) {
            output = null;
            return kept;
        }
        return allocator.directBuffer(Math.max(leastBytes, BYTES));
    }

    /** What was in it is sent. */
    void giveBack(ByteBuf room) {
        if (output == null && room.capacity() == BYTES) {
            output = room.clear();
        } else {
            room.release();
        }
    }

    @Override
    public void close() {
        if (input != null) {
            input.release();
            input = null;
        }
        if (output != null) {
            output.release();
            output = null;
        }
    }
}
