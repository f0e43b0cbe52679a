// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.TableCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What has been changed of a file since it was stored: its size, and ranges of bytes that lie over the stored ones. Not
 * thread-safe.
 */
final class Changes {
    /** What a range costs beside its bytes, so that many small ones have a bound, too. */
    private static final int RANGE_COST = 256;

    /**
     * A part of the file that was changed.
     *
     * @param end offset behind it
     * @param bytes null for zeros
     */
    private record Range(long start, long end, @Nullable ByteBuf bytes) {
        void copy(long from, int count, ByteBuffer target) {
            if (bytes == null) {
                zeros(count, target);
            } else {
                target.put(bytes.nioBuffer((int) (from - start), count));
            }
        }

        int held() {
            return bytes == null ? 0 : bytes.readableBytes();
        }

        int cost() {
            return RANGE_COST + held();
        }
    }

    /** The bytes that lie below. */
    @FunctionalInterface
    interface Stored {
        /** Fills {@code target}, which does not reach over the end of what is stored. */
        void read(long offset, ByteBuffer target) throws IOException, InterruptedException;
    }

    private final ByteBufAllocator allocator;
    private final NavigableMap<Long, Range> ranges = new TreeMap<>();
    private long size;
    private long storedBytes;
    private long writtenBytes;
    private long heldBytes;
    private boolean resized;
    private int piecesLookedAt;

    /** No changes of a file of {@code storedBytes} bytes. To be {@linkplain #release released}. */
    Changes(long storedBytes, ByteBufAllocator allocator) {
        this.allocator = allocator;
        this.size = storedBytes;
        this.storedBytes = storedBytes;
    }

    /** Bytes of the file with its changes. */
    long size() {
        return size;
    }

    /** Bytes from the start of the stored file that are not cut off. */
    long kept() {
        return storedBytes;
    }

    /** Whether the size does not follow from what is kept and what was written over it. */
    boolean isResized() {
        long written = ranges.values().stream()
                .filter(range -> range.bytes() != null)
                .mapToLong(Range::end)
                .max()
                .orElse(0);
        return resized || size > Math.max(storedBytes, written);
    }

    /** Whether more places than that were changed. Looks at them only when as many pieces have come since it last did. */
    boolean hasMorePlacesThan(int most) {
        if (ranges.size() <= Math.max(most, piecesLookedAt + most)) {
            return false;
        }
        piecesLookedAt = ranges.size();
        return Stretch.joined(written()).size() + holes().size() > most;
    }

    /** The ranges that are zeros now, in order. */
    List<TableCommand.Hole> holes() {
        return ranges.values().stream()
                .filter(range -> range.bytes() == null)
                .map(range -> new TableCommand.Hole(range.start(), range.end()))
                .toList();
    }

    /** The ranges that were written and are not zeros. They may touch each other, and do not overlap. */
    List<Stretch> written() {
        return ranges.values().stream()
                .filter(range -> range.bytes() != null)
                .map(range -> new Stretch(range.start(), range.end()))
                .toList();
    }

    boolean isEmpty() {
        return ranges.isEmpty() && !resized;
    }

    /** Memory that the changes take. */
    long heldBytes() {
        return heldBytes;
    }

    /** Whether the changes are the whole file, byte by byte; zeros that nobody wrote are no bytes, and may be very many. */
    boolean isWhole() {
        return storedBytes == 0 && writtenBytes == size;
    }

    /** Copies {@code source}. */
    void write(long offset, ByteBuffer source) {
        int count = source.remaining();
        if (count > 0) {
            put(new Range(
                    offset, offset + count, allocator.directBuffer(count, count).writeBytes(source)));
        }
    }

    /** Makes zeros of a range; the file becomes longer if that reaches over its end. */
    void zero(long offset, long length) {
        put(new Range(offset, offset + length, null));
    }

    private void put(Range range) {
        clear(range.start(), range.end());
        add(range);
        size = Math.max(size, range.end());
    }

    void resize(long newSize) {
        clear(newSize, Long.MAX_VALUE);
        storedBytes = Math.min(storedBytes, newSize);
        size = newSize;
        resized = true;
    }

    private void clear(long from, long to) {
        Map.Entry<Long, Range> before = ranges.lowerEntry(from);
        if (before != null && before.getValue().end() > from) {
            cut(before.getValue(), from, to);
        }
        List.copyOf(ranges.subMap(from, to).values()).forEach(range -> cut(range, from, to));
    }

    /** Leaves of a range what is before and what is behind. */
    private void cut(Range range, long from, long to) {
        ranges.remove(range.start());
        writtenBytes -= range.held();
        heldBytes -= range.cost();
        if (range.start() < from) {
            add(part(range, range.start(), from));
        }
        if (range.end() > to) {
            add(part(range, to, range.end()));
        }
        release(range);
    }

    /** With bytes of its own, so that those that are cut off take no memory. */
    private Range part(Range range, long from, long to) {
        ByteBuf bytes = range.bytes();
        return new Range(from, to, bytes == null ? null : copy(bytes, (int) (from - range.start()), (int) (to - from)));
    }

    private ByteBuf copy(ByteBuf bytes, int index, int count) {
        return allocator.directBuffer(count, count).writeBytes(bytes, index, count);
    }

    private static void release(Range range) {
        if (range.bytes() != null) {
            range.bytes().release();
        }
    }

    /** Gives up what is held. Nothing can be done with it any more. */
    void release() {
        ranges.values().forEach(Changes::release);
        ranges.clear();
    }

    private void add(Range range) {
        ranges.put(range.start(), range);
        writtenBytes += range.held();
        heldBytes += range.cost();
    }

    /** Reads the changed file into {@code target}, until that is full or the file ends. */
    void read(long offset, ByteBuffer target, Stored stored) throws IOException, InterruptedException {
        long end = Math.min(size, offset + target.remaining());
        long at = offset;
        while (at < end) {
            Map.Entry<Long, Range> floor = ranges.floorEntry(at);
            if (floor != null && floor.getValue().end() > at) {
                int count = (int) (Math.min(end, floor.getValue().end()) - at);
                floor.getValue().copy(at, count, target);
                at += count;
            } else {
                Long next = ranges.higherKey(at);
                long stop = next == null ? end : Math.min(end, next);
                readBelow(at, stop, target, stored);
                at = stop;
            }
        }
    }

    private void readBelow(long from, long to, ByteBuffer target, Stored stored)
            throws IOException, InterruptedException {
        int there = (int) Math.clamp(storedBytes - from, 0, to - from);
        if (there > 0) {
            ByteBuffer part = target.slice(target.position(), there);
            stored.read(from, part);
            target.position(target.position() + there);
        }
        zeros((int) (to - from) - there, target);
    }

    private static void zeros(int count, ByteBuffer target) {
        target.put(new byte[count]);
    }
}
