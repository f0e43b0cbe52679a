// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes on their way to become a stripe, in a buffer for each unit: nothing that is in moves when more comes, and the pool keeps
 * buffers of that size. Not thread-safe.
 */
public final class StripeBuffer {
    private final StripeGeometry geometry;
    private final ByteBufAllocator allocator;
    private final List<ByteBuf> units = new ArrayList<>();
    private int length;
    private boolean isLarge;

    StripeBuffer(StripeGeometry geometry, ByteBufAllocator allocator) {
        this.geometry = geometry;
        this.allocator = allocator;
    }

    /** Takes bytes from a source, moving its position, until it is empty or the stripe is full. */
    public void write(ByteBuffer source) {
        while (source.hasRemaining() && !isFull()) {
            int count = Math.min(source.remaining(), geometry.unitBytes() - length % geometry.unitBytes());
            unit(count).writeBytes(source.slice(source.position(), count));
            source.position(source.position() + count);
            length += count;
        }
    }

    /** The buffer for the next bytes. The first one grows as they come: a small segment takes little. */
    private ByteBuf unit(int count) {
        if (length % geometry.unitBytes() == 0) {
            isLarge |= !units.isEmpty();
            units.add(allocator.directBuffer(isLarge ? geometry.unitBytes() : count, geometry.unitBytes()));
        }
        return units.getLast();
    }

    public boolean isEmpty() {
        return length == 0;
    }

    public boolean isFull() {
        return length == geometry.stripeBytes();
    }

    /** Gives what is in to the caller, and begins a new stripe. */
    public ByteBuf take() {
        CompositeByteBuf stripe = allocator.compositeDirectBuffer(units.size());
        stripe.addComponents(true, units);
        units.clear();
        length = 0;
        return stripe;
    }

    /** Gives up what is in. */
    public void release() {
        units.forEach(ByteBuf::release);
        units.clear();
        length = 0;
    }
}
