// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes bytes into the units of a stripe, as {@link StripeCode} defines them. A data unit leaves as soon as it is full, and its
 * parity is summed up meanwhile, so that one unit and the parity are all that is in memory. Not thread-safe.
 */
final class StripeEncoder {
    private final StripeGeometry geometry;
    private final ByteBufAllocator allocator;
    private final List<ByteBuf> sums = new ArrayList<>(StripeGeometry.MAX_PARITY_UNITS);
    private ByteBuf unit;
    private boolean isLarge;
    private int taken;

    StripeEncoder(StripeGeometry geometry, ByteBufAllocator allocator) {
        this.geometry = geometry;
        this.allocator = allocator;
        unit = allocator.directBuffer(0, geometry.unitBytes());
    }

    /** Takes bytes from a source, moving its position, until it is empty or the unit is full. @return what was taken */
    ByteBuffer write(ByteBuffer source) {
        ByteBuffer part = source.slice(source.position(), Math.min(source.remaining(), unit.maxWritableBytes()));
        source.position(source.position() + part.remaining());
        // The first unit grows as its bytes come: what is short takes little.
        unit.ensureWritable(isLarge ? unit.maxWritableBytes() : part.remaining());
        unit.writeBytes(part.duplicate());
        return part;
    }

    boolean isEmpty() {
        return !unit.isReadable();
    }

    boolean isUnitFull() {
        return unit.readableBytes() == geometry.unitBytes();
    }

    /** What is in the unit, which must not be empty. */
    InlineBytes takeInline() {
        byte[] bytes = new byte[unit.readableBytes()];
        unit.readBytes(bytes);
        return new InlineBytes(bytes);
    }

    /** Data units that were taken of the stripe. */
    int taken() {
        return taken;
    }

    /** Gives the data unit to the caller, and begins the next one. */
    ByteBuf take() {
        ByteBuf full = unit;
        if (geometry.parityUnits() > 0) {
            add(full);
        }
        taken++;
        isLarge = true;
        unit = allocator.directBuffer(0, geometry.unitBytes());
        return full;
    }

    private void add(ByteBuf full) {
        if (taken == 0) {
            sums.add(full.retainedDuplicate());
            return;
        }
        if (taken == 1) {
            ByteBuf first = sums.removeFirst();
            Stream.generate(() -> copy(first)).limit(geometry.parityUnits()).forEach(sums::add);
            first.release();
        }
        Parity.xorInto(sums.getFirst(), full);
        if (geometry.parityUnits() > 1) {
            Parity.halveAndXorInto(sums.getLast(), full);
        }
    }

    private ByteBuf copy(ByteBuf first) {
        return allocator
                .directBuffer(first.readableBytes())
                .writeBytes(first, first.readerIndex(), first.readableBytes());
    }

    /** Gives the parity units of what was taken to the caller, and begins a new stripe. */
    List<ByteBuf> takeParity() {
        List<ByteBuf> parity = List.copyOf(sums);
        if (taken == 1 && !parity.isEmpty()) {
            parity = Stream.generate(sums.getFirst()::retainedDuplicate)
                    .limit(geometry.parityUnits())
                    .toList();
            sums.getFirst().release();
        } else if (parity.size() > 1) {
            Parity.multiply(parity.getLast(), GaloisField.power(taken - 1));
        }
        sums.clear();
        taken = 0;
        return parity;
    }

    /** Gives up what is in. */
    void release() {
        unit.release();
        sums.forEach(ByteBuf::release);
        sums.clear();
    }
}
