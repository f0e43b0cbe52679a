// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The bytes of a file in main memory, with holes. For one thread at a time. */
final class MemoryContent {
    private static final int CHUNK = 64 << 10;

    private final TreeMap<Long, byte[]> chunks = new TreeMap<>();
    private long size;

    long size() {
        return size;
    }

    long allocatedBytes() {
        return (long) chunks.size() * CHUNK;
    }

    void read(long offset, ByteBuffer target) {
        int wanted = (int) Math.max(0, Math.min(target.remaining(), size - offset));
        for (int done = 0; done < wanted; ) {
            long at = offset + done;
            int start = (int) (at % CHUNK);
            int count = Math.min(wanted - done, CHUNK - start);
            byte[] chunk = chunks.get(at / CHUNK);
            if (chunk == null) {
                target.put(new byte[count]);
            } else {
                target.put(chunk, start, count);
            }
            done += count;
        }
    }

    void write(long offset, ByteBuffer source) {
        long at = offset;
        while (source.hasRemaining()) {
            int start = (int) (at % CHUNK);
            int count = Math.min(source.remaining(), CHUNK - start);
            source.get(chunks.computeIfAbsent(at / CHUNK, index -> new byte[CHUNK]), start, count);
            at += count;
        }
        size = Math.max(size, at);
    }

    void resize(long newSize) {
        if (newSize < size) {
            clear(newSize, (newSize / CHUNK + 2) * CHUNK - newSize);
            chunks.tailMap((newSize + CHUNK - 1) / CHUNK, true).clear();
        }
        size = newSize;
    }

    /** Makes zeros of a range; whole chunks of it become holes. */
    void clear(long offset, long length) {
        long end = offset + length;
        for (Map.Entry<Long, byte[]> next : Map.copyOf(chunks.subMap(offset / CHUNK, true, end / CHUNK, true))
                .entrySet()) {
            long start = next.getKey() * CHUNK;
            if (offset <= start && end >= start + CHUNK) {
                chunks.remove(next.getKey());
            } else {
                int from = (int) Math.max(0, offset - start);
                int to = (int) Math.min(CHUNK, end - start);
                Arrays.fill(next.getValue(), from, to, (byte) 0);
            }
        }
    }

    void extend(long newSize) {
        size = Math.max(size, newSize);
    }

    /** Where data, or a hole, begins at or behind an offset; -1 if there is none. */
    long seek(long offset, boolean hole) {
        if (offset >= size) {
            return -1;
        }
        return hole ? hole(offset) : data(offset);
    }

    private long hole(long offset) {
        long at = offset;
        while (at < size && chunks.containsKey(at / CHUNK)) {
            at = (at / CHUNK + 1) * CHUNK;
        }
        return Math.min(at, size);
    }

    private long data(long offset) {
        Long chunk = chunks.ceilingKey(offset / CHUNK);
        return chunk == null ? -1 : Math.max(offset, chunk * CHUNK);
    }
}
