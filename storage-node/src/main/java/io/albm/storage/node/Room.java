// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Generation;
import io.albm.storage.NodeSpace;
import io.albm.storage.StripeGeometry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The room of a store, in bytes: what blocks take, and what is set aside for blocks of a generation that will come. Nothing
 * is refused that room was set aside for, unless others have filled the disk since. Thread-safe.
 */
final class Room {
    /** Generations that room is set aside for; more are refused. */
    static final int MOST_SET_ASIDE = 10_000;

    private final long capacity;
    private final long reserve;
    private final Map<Generation, Long> aside = new HashMap<>();
    private long asideBytes;
    private long used;
    private long blocks;

    /**
     * @param capacity bytes that all files may take
     * @param reserve bytes of the disk that are kept free
     */
    Room(long capacity, long reserve) {
        this.capacity = capacity;
        this.reserve = reserve;
    }

    /**
     * Sets room aside for a generation, in the place of what was set aside for it before.
     *
     * @param count blocks
     * @param bodies bytes of all of them, without their heads
     * @param usable bytes that are free on the disk
     */
    synchronized void setAside(Generation generation, long count, long bodies, long usable) throws NoSpaceException {
        if (bodies > capacity || count > bodies) {
            throw new NoSpaceException(
                    count + " blocks of " + bodies + " bytes exceed the capacity of " + capacity + " bytes");
        }
        if (aside.size() >= MOST_SET_ASIDE && !aside.containsKey(generation)) {
            throw new NoSpaceException(
                    "room is set aside for " + MOST_SET_ASIDE + " writes already, which have to end");
        }
        long bytes = count == 0 ? 0 : bodies + count * headBytes(Math.ceilDiv(bodies, count));
        long more = bytes - aside.getOrDefault(generation, 0L);
        check(more, 0, usable - asideBytes - more);
        aside.put(generation, bytes);
        asideBytes += more;
    }

    private static long headBytes(long body) {
        return BlockFormat.headBytes((int) Math.min(body, StripeGeometry.MAX_UNIT_BYTES));
    }

    /**
     * Counts a file as used before it is written, so that writers side by side cannot exceed the capacity together.
     *
     * @param replaced bytes of the spoilt file whose place the block takes: a full disk can be repaired
     * @param usable bytes that are free on the disk
     */
    synchronized void take(Generation generation, long bytes, long replaced, long usable) throws NoSpaceException {
        long left = aside.getOrDefault(generation, 0L);
        long covered = Math.min(left, bytes);
        check(bytes - covered, replaced, usable - bytes + replaced - (asideBytes - covered));
        used += bytes;
        if (covered > 0) {
            aside.put(generation, left - covered);
            asideBytes -= covered;
        }
    }

    /** @param free bytes that would be free on the disk and not set aside */
    private void check(long more, long replaced, long free) throws NoSpaceException {
        if (used + asideBytes + more - replaced > capacity) {
            throw new NoSpaceException(more + " bytes more than the " + used + " in use and the " + asideBytes
                    + " set aside exceed the capacity of " + capacity + " bytes");
        }
        if (free < reserve) {
            throw new NoSpaceException(more + " bytes do not fit: with them " + free
                    + " bytes of the disk would be free and not set aside, of which " + reserve + " are reserved");
        }
    }

    /**
     * Bytes that may lie on the disk beside the blocks.
     *
     * @param usable as if they did not
     */
    synchronized long beside(long usable) {
        return Math.min(capacity - used, usable - reserve);
    }

    /** Gives back what is left of what was set aside. */
    synchronized void giveBack(Generation generation) {
        Long left = aside.remove(generation);
        if (left != null) {
            asideBytes -= left;
        }
    }

    /** Those that room is set aside for. */
    synchronized List<Generation> generations() {
        return List.copyOf(aside.keySet());
    }

    /** Blocks that have come, and bytes of files that are there; negative for those that went. */
    synchronized void account(long files, long bytes) {
        blocks += files;
        used += bytes;
    }

    synchronized NodeSpace space(long usable) {
        long byDisk = usable - reserve;
        return new NodeSpace(
                Math.min(capacity, used + Math.max(0, byDisk)),
                used,
                Math.max(0, Math.min(capacity - used, byDisk) - asideBytes),
                blocks);
    }
}
