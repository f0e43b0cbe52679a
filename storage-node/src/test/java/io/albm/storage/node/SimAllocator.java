// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Buffers that the garbage collector has when nobody does: a simulated process that dies releases nothing. */
final class SimAllocator extends AbstractByteBufAllocator {
    static final SimAllocator INSTANCE = new SimAllocator();

    private SimAllocator() {}

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return newHeapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
